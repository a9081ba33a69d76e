package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/check"
	"shmbench/report"
	"shmbench/stress"
)

// unwritten returns the keys that a reader of JSON looks for, and that no field of its writer
// has. A writer that is no struct, or writes itself, has every key.
func unwritten(reader, writer reflect.Type, at string) (keys []string) {
	reader, writer = element(reader), element(writer)
	writesItself := func(name string) bool { _, ok := reflect.PointerTo(writer).MethodByName(name); return ok }
	if reader.Kind() != reflect.Struct || writer.Kind() != reflect.Struct || writesItself("MarshalJSON") || writesItself("MarshalText") {
		return nil
	}
	written := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(writer) {
		if f.IsExported() && !f.Anonymous {
			written[strings.ToLower(keyOf(f))] = f.Type
		}
	}
	for _, f := range reflect.VisibleFields(reader) {
		if !f.IsExported() {
			continue
		}
		key := at + keyOf(f)
		if of, ok := written[strings.ToLower(keyOf(f))]; ok {
			keys = append(keys, unwritten(f.Type, of, key+".")...)
		} else {
			keys = append(keys, key)
		}
	}
	return keys
}

// element is what a pointer or a list is of.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// keyOf is the key of a field in JSON.
func keyOf(f reflect.StructField) string {
	if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" {
		return key
	}
	return f.Name
}

// The report looks for no key that the verbs do not write: a key that gets another name in a
// verb would leave an empty cell in the page.
func TestTheReportReadsWhatTheVerbsWrite(t *testing.T) {
	for _, d := range []struct{ reader, writer any }{
		{report.Spec{}, bench.Specification{}},
		{report.Check{}, check.Report{}},
		{report.Stress{}, stress.Report{}},
		{report.Mutant{}, kill{}},
	} {
		require.Empty(t, unwritten(reflect.TypeOf(d.reader), reflect.TypeOf(d.writer), ""), "%T", d.reader)
	}
	type reader struct {
		Name  string
		Space []struct{ Count, Nothing string }
		Old   int
	}
	require.Equal(t, []string{"Space.Nothing", "Old"}, unwritten(reflect.TypeFor[reader](), reflect.TypeFor[bench.Specification](), ""))
}
