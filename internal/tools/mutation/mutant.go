package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// A mutant is one small fault in one file: the bytes from offset begin to
// offset end are replaced.
type mutant struct {
	pkg        string // import path
	file       string // absolute, and relative to the module in a trial
	line       int
	begin, end int
	old, new   string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %q for %q", m.file, m.line, m.new, m.old)
}

// apply returns text with the fault in it.
func (m mutant) apply(text []byte) []byte {
	out := append([]byte{}, text[:m.begin]...)
	out = append(out, m.new...)
	return append(out, text[m.end:]...)
}

// operators are what stands for each operator in a mutant.
var operators = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD},
	token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.QUO},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND_NOT: {token.AND},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.ADD_ASSIGN: {token.SUB_ASSIGN, token.ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN, token.ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN},
	token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
	token.BREAK: {token.CONTINUE}, token.CONTINUE: {token.BREAK},
}

// mutants returns the faults that one file can be given. Some do not compile.
func mutants(file string, text []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []mutant
	replace := func(pos, end token.Pos, with string) {
		p := fset.Position(pos)
		m := mutant{file: file, line: p.Line, begin: p.Offset, end: fset.Position(end).Offset, new: with}
		m.old = string(text[m.begin:m.end])
		all = append(all, m)
	}
	operator := func(pos token.Pos, op token.Token) {
		for _, other := range operators[op] {
			replace(pos, pos+token.Pos(len(op.String())), other.String())
		}
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ImportSpec, *ast.StructType, *ast.ArrayType:
			return false
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.BranchStmt:
			operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok == token.ASSIGN {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.ExprStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.DeferStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.IfStmt:
			replace(n.Cond.Pos(), n.Cond.End(), "!("+string(text[fset.Position(n.Cond.Pos()).Offset:fset.Position(n.Cond.End()).Offset])+")")
		case *ast.UnaryExpr:
			if n.Op == token.NOT || n.Op == token.SUB {
				replace(n.OpPos, n.OpPos+1, "")
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				replace(n.Pos(), n.End(), "false")
			case "false":
				replace(n.Pos(), n.End(), "true")
			}
		case *ast.BasicLit:
			if i, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				replace(n.Pos(), n.End(), strconv.FormatInt(i+1, 10))
			}
			if f, err := strconv.ParseFloat(n.Value, 64); n.Kind == token.FLOAT && err == nil {
				replace(n.Pos(), n.End(), strconv.FormatFloat(2*f+1, 'g', -1, 64))
			}
		}
		return true
	})
	return all, nil
}
