// Package stepper is the part of a page on which a reader steps through an execution: the
// source with the place of each process, registers, a column for each process, and all steps.
// The report and the player of locks have it on their pages.
package stepper

import _ "embed"

// HTML is a template that defines "stepper".
//
//go:embed stepper.html
var HTML string

// CSS is the style of the stepper.
//
//go:embed stepper.css
var CSS string

// Colors is the style that all pages have in common.
//
//go:embed colors.css
var Colors string

// JS is the script. Its class Stepper shows an execution.
//
//go:embed stepper.js
var JS string
