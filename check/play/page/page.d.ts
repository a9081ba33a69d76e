// What the page has besides its scripts: the text of the worker.
declare const searcher: string;
