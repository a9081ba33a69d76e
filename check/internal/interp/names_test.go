package interp

import (
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames: how the cells of a lock are called, and of what kind they are.
func TestNames(t *testing.T) {
	m := built(t, "NewNamed", 2)
	names := m.Names()
	got := map[string]string{}
	last := Ptr{}
	for p, name := range names.All() {
		require.True(t, p.Obj > last.Obj || p.Obj == last.Obj && p.Off > last.Off, "in the order of their addresses")
		last = p
		if p.Obj < m.mem.objsBefore && !strings.HasPrefix(name, "Shared") {
			continue // of a package
		}
		require.NotContains(t, got, name, "no two have one name")
		got[name] = types.Typ[names.Kind(p)].String()
		if _, slice := m.Initial(p).(Slice); !slice {
			got[name] += " " + names.Value(p, m.Initial(p))
		}
	}
	require.Equal(t, map[string]string{
		"word": "uint32 2147483648", "number[0]": "int64 0", "number[1]": "int64 4", "open": "bool true", "text": `string "a"`,
		"grid[0][0]": "int8 0", "grid[0][1]": "int8 0", "grid[1][0]": "int8 -3", "grid[1][1]": "int8 0",
		"queue": "invalid type", "queue[0].flag": "bool false", "queue[0].next": "invalid type nil",
		"ring": "invalid type ring", "ring.flag": "bool false", "ring.next": "invalid type owner",
		"owner": "invalid type owner", "owner.flag": "bool false", "owner.next": "invalid type ring",
		"byName": "invalid type map", `byName["a"].flag`: "bool false", `byName["a"].next`: "invalid type nil",
		"byStruct": "invalid type map", "byStruct[a value].flag": "bool false", "byStruct[a value].next": "invalid type nil",
		"value": "invalid type value", "value.flag": "bool false", "value.next": "invalid type nil",
		"held": "invalid type [nil held.pair[1] nil]", "held.pair[1].flag": "bool false", "held.pair[1].next": "invalid type nil",
		"made": "invalid type NewNamed$1", "made.kept": "invalid type made.kept", "made.kept.flag": "bool false", "made.kept.next": "invalid type nil",
		"Shared": "invalid type Shared", "Shared.flag": "bool false", "Shared.next": "invalid type nil",
	}, got)
	for range names.All() {
		break
	}
	require.Equal(t, "cell 99.3", names.Cell(Ptr{99, 3}))
	require.Equal(t, types.Invalid, names.Kind(Ptr{99, 3}))
}

// TestNamesWithoutFields: a register that is no field with a name has that of its type.
func TestNamesWithoutFields(t *testing.T) {
	for constructor, want := range map[string]string{"NewWord": "Word", "NewEmbeds": "Bool"} {
		m := built(t, constructor, 2)
		var got []string
		for p, name := range m.Names().All() {
			if p.Obj >= m.mem.objsBefore {
				got = append(got, name)
			}
		}
		require.Equal(t, []string{want}, got, constructor)
	}
}
