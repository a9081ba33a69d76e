// Package browser has only tests: they look at the pages of shmbench report, and of
// check -o FILE.html, in Chromium.
package browser
