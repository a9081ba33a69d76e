"use strict";
// Searches what is possible, in a worker: the page goes on meanwhile.

/** @type {Consistent | null} */
let searched = null;
onmessage = ({ data }) => {
  if (data.machine) searched = systemOf(data.machine);
  if (!searched) return;
  const began = performance.now();
  postMessage({ id: data.id, possible: possibleOf(searched, data.from, data.most), ms: performance.now() - began });
};
