package interp

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// part is what is read of a struct where a selection leads through its embedded
// fields to a pointer or an interface: only that. SSA form loads the whole struct
// there, and then takes the field of it.
type part struct {
	off int32
	typ types.Type
}

// parts returns the loads of a function that are followed by the use of a part only.
func (l *layouts) parts(fn *ssa.Function) map[*ssa.UnOp]part {
	var parts map[*ssa.UnOp]part
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			load, ok := in.(*ssa.UnOp)
			if !ok || load.Op != token.MUL {
				continue
			}
			if p, ok := l.partOf(load); ok {
				if parts == nil {
					parts = map[*ssa.UnOp]part{}
				}
				parts[load] = p
			}
		}
	}
	return parts
}

// partOf returns the part that a load is for. It returns false if the load is a copy
// in the source as well.
func (l *layouts) partOf(in *ssa.UnOp) (p part, ok bool) {
	p.typ = in.Type()
	for v := ssa.Value(in); ; {
		f := selects(v)
		if f == nil {
			return p, ok
		}
		p.off += l.offsets(v.Type().Underlying().(*types.Struct))[f.Field]
		p.typ, v, ok = f.Type(), f, true
	}
}

// selects returns the field of v that is all that anything needs of v. That of a
// copy which a variable of the source holds is not, as a second expression is for
// the variable.
func selects(v ssa.Value) (field *ssa.Field) {
	var expr ast.Expr
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
			if expr != nil && expr != ref.Expr {
				return nil
			}
			expr = ref.Expr
		case *ssa.Field:
			if field != nil {
				return nil
			}
			field = ref
		default:
			return nil
		}
	}
	return field
}

// loadPart reads a part of a struct of type t at p, and returns the struct with what
// else it holds left out.
func (r *run) loadPart(p Ptr, t types.Type, of part) Value {
	if p.Obj != 0 {
		p.Off += of.off
	}
	v := r.load(p, of.typ)
	if r.access != nil {
		return nil
	}
	cells := make(Agg, r.m.lay.cells(t))
	copy(cells[of.off:], flat(v))
	return cells
}
