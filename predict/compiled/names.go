package compiled

import (
	"reflect"
	"strings"

	"shmbench/shm"
)

// names are the registers of a lock by their addresses, as its fields are called;
// [.] stands for an index.
type names map[uintptr]string

// namesOf finds the registers that a lock has when it is made.
func namesOf(lock shm.Mutex) names {
	all := names{}
	all.walk(reflect.ValueOf(lock), "", map[uintptr]bool{})
	return all
}

func (all names) walk(v reflect.Value, name string, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			all.walk(v.Elem(), name, seen)
		}
	case reflect.Interface:
		if !v.IsNil() {
			all.walk(v.Elem(), name, seen)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			all.walk(v.Index(i), name+"[.]", seen)
		}
	case reflect.Struct:
		if strings.HasSuffix(v.Type().PkgPath(), "/twin") {
			if v.CanAddr() {
				all[v.UnsafeAddr()] = name
			}
			return
		}
		for i := range v.NumField() {
			field, part := v.Type().Field(i), name
			if !field.Anonymous {
				part = strings.TrimPrefix(name+"."+field.Name, ".")
			}
			all.walk(v.Field(i), part, seen)
		}
	}
}

// twinned reports whether a function is of the twin or its hooks, and not of a lock.
func twinned(function string) bool {
	const here = "shmbench/predict/compiled."
	return strings.Contains(function, "/twin.") || strings.HasPrefix(function, here+"(*driver)") || function == here+"Before" ||
		strings.HasPrefix(function, "main.main.")
}
