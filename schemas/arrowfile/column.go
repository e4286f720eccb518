package arrowfile

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"dssdnet/schemas"
)

// Table is an Arrow table with rows of type R.
type Table[R any] struct {
	Arrow   schemas.ArrowTable
	columns []column[R] // in the order of Arrow.Fields
}

// column moves one field of R into an Arrow column and back.
type column[R any] interface {
	// bind returns what appends the field to b, a fresh builder of the column's type. It is called once a file.
	bind(b array.Builder) (func(*R) error, error)
	// load sets the field of every row from a, which has as many values.
	load(a arrow.Array, rows []R) error
}

// typed is a as the array type A, or the error of a file whose columns are not those of its table.
func typed[A arrow.Array](a arrow.Array) (A, error) {
	t, ok := a.(A)
	if !ok {
		return t, fmt.Errorf("column has type %s", a.DataType())
	}
	return t, nil
}

type stringColumn[R any] func(*R) *string

func (field stringColumn[R]) bind(b array.Builder) (func(*R) error, error) {
	s := b.(*array.StringBuilder)
	return func(r *R) error { s.Append(*field(r)); return nil }, nil
}

func (field stringColumn[R]) load(a arrow.Array, rows []R) error {
	values, err := typed[*array.String](a)
	if err != nil {
		return err
	}
	for i := range rows {
		*field(&rows[i]) = values.Value(i)
	}
	return nil
}

// textColumn is a string column in which "" is NULL.
type textColumn[R any] func(*R) *string

func (field textColumn[R]) bind(b array.Builder) (func(*R) error, error) {
	s := b.(*array.StringBuilder)
	return func(r *R) error {
		if text := *field(r); text != "" {
			s.Append(text)
		} else {
			s.AppendNull()
		}
		return nil
	}, nil
}

func (field textColumn[R]) load(a arrow.Array, rows []R) error {
	values, err := typed[*array.String](a)
	if err != nil {
		return err
	}
	for i := range rows {
		if *field(&rows[i]) = ""; !values.IsNull(i) {
			*field(&rows[i]) = values.Value(i)
		}
	}
	return nil
}

type int8Column[R any] func(*R) *int8

func (field int8Column[R]) bind(b array.Builder) (func(*R) error, error) {
	n := b.(*array.Int8Builder)
	return func(r *R) error { n.Append(*field(r)); return nil }, nil
}

func (field int8Column[R]) load(a arrow.Array, rows []R) error {
	values, err := typed[*array.Int8](a)
	if err != nil {
		return err
	}
	for i := range rows {
		*field(&rows[i]) = values.Value(i)
	}
	return nil
}

type int32Column[R any] func(*R) *int32

func (field int32Column[R]) bind(b array.Builder) (func(*R) error, error) {
	n := b.(*array.Int32Builder)
	return func(r *R) error { n.Append(*field(r)); return nil }, nil
}

func (field int32Column[R]) load(a arrow.Array, rows []R) error {
	values, err := typed[*array.Int32](a)
	if err != nil {
		return err
	}
	for i := range rows {
		*field(&rows[i]) = values.Value(i)
	}
	return nil
}

type boolColumn[R any] func(*R) *bool

func (field boolColumn[R]) bind(b array.Builder) (func(*R) error, error) {
	v := b.(*array.BooleanBuilder)
	return func(r *R) error { v.Append(*field(r)); return nil }, nil
}

func (field boolColumn[R]) load(a arrow.Array, rows []R) error {
	values, err := typed[*array.Boolean](a)
	if err != nil {
		return err
	}
	for i := range rows {
		*field(&rows[i]) = values.Value(i)
	}
	return nil
}

// wordColumn is a dictionary column. Its dictionary is words in every file, whichever of them occur.
type wordColumn[R any] struct {
	words []string
	field func(*R) *string
}

func (c wordColumn[R]) bind(b array.Builder) (func(*R) error, error) {
	words := array.NewStringBuilder(memory.DefaultAllocator)
	defer words.Release()
	words.AppendValues(c.words, nil)
	dictionary := words.NewStringArray()
	defer dictionary.Release()
	d := b.(*array.BinaryDictionaryBuilder)
	if err := d.InsertStringDictValues(dictionary); err != nil {
		return nil, err
	}
	return func(r *R) error {
		word := *c.field(r)
		if !slices.Contains(c.words, word) {
			return fmt.Errorf("%q is none of %v", word, c.words)
		}
		return d.AppendString(word)
	}, nil
}

func (c wordColumn[R]) load(a arrow.Array, rows []R) error {
	values, err := typed[*array.Dictionary](a)
	if err != nil {
		return err
	}
	words, err := typed[*array.String](values.Dictionary())
	if err != nil {
		return err
	}
	for i := range rows {
		*c.field(&rows[i]) = words.Value(values.GetValueIndex(i))
	}
	return nil
}
