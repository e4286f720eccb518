package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Section is a group of settings: the exported fields of one struct that carry a yaml tag. The tag is the name of
// the flag and of the key in the file, the help tag explains it. A field tagged `yaml:",inline"` is a struct whose
// settings belong to the same section; one tagged `yaml:"-"` is none.
type Section struct {
	Name   string // "" for the settings of the program itself
	fields []*field
}

type field struct {
	key, help string
	value     reflect.Value
	origin    string
	flags     []*pflag.Flag // one for each command that has the setting
	// replaced is false until the first Set: only then does a list lose its default.
	replaced bool
}

// New makes a section of the struct that target points to. The values in it are the defaults.
func New(name string, target any) *Section {
	s := &Section{Name: name}
	s.collect(reflect.ValueOf(target).Elem())
	return s
}

func (s *Section) collect(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case option == "inline":
			s.collect(v.Field(i))
		case key == "" || key == "-":
		default:
			s.fields = append(s.fields, &field{key: key, help: f.Tag.Get("help"), value: v.Field(i), origin: "default"})
		}
	}
}

// AddFlags defines a flag for each setting that flags does not have yet. Several commands can share a section.
func (s *Section) AddFlags(flags *pflag.FlagSet) {
	for _, f := range s.fields {
		if flags.Lookup(f.key) != nil {
			continue
		}
		flag := flags.VarPF(f, f.key, "", f.help)
		if f.value.Kind() == reflect.Bool {
			flag.NoOptDefVal = "true"
		}
		f.flags = append(f.flags, flag)
	}
}

// Resolve gives every setting that no flag has set the value of its environment variable, else of the file.
func (s *Section) Resolve(env func(string) (string, bool), file *File) error {
	for _, f := range s.fields {
		if slices.ContainsFunc(f.flags, func(flag *pflag.Flag) bool { return flag.Changed }) {
			f.origin = "flag --" + f.key
			continue
		}
		name := s.Variable(f.key)
		if text, ok := env(name); ok {
			if err := f.Set(text); err != nil {
				return fmt.Errorf("environment variable %s: %w", name, err)
			}
			f.origin = "environment " + name
			continue
		}
		if entry, ok := file.lookup(s.Name, f.key); ok {
			for _, text := range entry.values {
				if err := f.Set(text); err != nil {
					return fmt.Errorf("%s:%d: %s: %w", file.path, entry.line, f.key, err)
				}
			}
			f.origin = fmt.Sprintf("%s:%d", file.path, entry.line)
		}
	}
	return nil
}

// Variable is the environment variable of a setting: DSSDNET_CONSUME_MAX_DEAD_SHARE.
func (s *Section) Variable(key string) string {
	name := key
	if s.Name != "" {
		name = s.Name + "_" + key
	}
	return "DSSDNET_" + strings.ToUpper(strings.NewReplacer("-", "_", " ", "_").Replace(name))
}

// Each calls visit for every setting with its value as text and where it came from.
func (s *Section) Each(visit func(key, value, origin string)) {
	for _, f := range s.fields {
		visit(f.key, f.String(), f.origin)
	}
}

// Assign gives a setting values as text, a list several: they take the place of what it had. Origin is what Each then
// says of it. The error is that of the text; a key that is no setting of the section is one too.
func (s *Section) Assign(key, origin string, values ...string) error {
	for _, f := range s.fields {
		if f.key != key {
			continue
		}
		f.replaced = false
		if len(values) == 0 {
			values = []string{""} // an empty list
		}
		for _, text := range values {
			if err := f.Set(text); err != nil {
				return err
			}
		}
		f.origin = origin
		return nil
	}
	return fmt.Errorf("there is no setting %q", key)
}

// Keys are the names of the settings.
func (s *Section) Keys() []string {
	keys := make([]string, 0, len(s.fields))
	for _, f := range s.fields {
		keys = append(keys, f.key)
	}
	return keys
}

func (s *Section) has(key string) bool { return slices.Contains(s.Keys(), key) }

var (
	bytesType    = reflect.TypeFor[Bytes]()
	durationType = reflect.TypeFor[time.Duration]()
)

// Set, String and Type make a field a flag. Set is the one parser of all sources.
func (f *field) Set(text string) error {
	switch f.value.Type() {
	case bytesType:
		b, err := ParseBytes(text)
		f.value.SetInt(int64(b))
		return err
	case durationType:
		d, err := time.ParseDuration(text)
		f.value.SetInt(int64(d))
		return plain(err, text, "a duration like 500ms, 30s or 2h")
	}
	switch f.value.Kind() {
	case reflect.String:
		f.value.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		f.value.SetBool(b)
		return plain(err, text, "true or false")
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, 64)
		f.value.SetInt(n)
		return plain(err, text, "a whole number")
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		f.value.SetUint(n)
		return plain(err, text, "a whole number from 0")
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		f.value.SetFloat(x)
		return plain(err, text, "a number")
	case reflect.Slice:
		if !f.replaced {
			f.value.SetLen(0)
			f.replaced = true
		}
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				f.value.Set(reflect.Append(f.value, reflect.ValueOf(part)))
			}
		}
	default:
		panic("settings: field " + f.key + " has type " + f.value.Type().String())
	}
	return nil
}

func plain(err error, text, want string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q is not %s", text, want)
}

func (f *field) String() string {
	if f == nil || !f.value.IsValid() {
		return ""
	}
	switch v := f.value.Interface().(type) {
	case []string:
		return strings.Join(v, ",")
	default:
		return fmt.Sprint(v)
	}
}

func (f *field) Type() string {
	switch {
	case f.value.Type() == bytesType:
		return "size"
	case f.value.Type() == durationType:
		return "duration"
	case f.value.Kind() == reflect.Slice:
		return "list"
	}
	return f.value.Kind().String()
}
