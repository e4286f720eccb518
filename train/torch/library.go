package torch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/ebitengine/purego"

	"dssdnet/internal/fault"
)

const (
	fileName = "libdssdnet_torch.so"
	// LibraryEnv names a library to load instead of those found by place.
	LibraryEnv = "DSSDNET_TORCH_LIB"
)

// load loads the library once per process. A library cannot be unloaded, so a failure is final too.
var load = sync.OnceValues(func() (*calls, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	library, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fault.New(fault.Failed, "load %s: %w; if PyTorch was removed or replaced, run `make native` again", path, err)
	}
	c := new(calls)
	if err := c.bind(library); err != nil {
		return nil, fault.New(fault.Failed, "load %s: %w", path, err)
	}
	return c, nil
})

// find returns the first library there is: the one named by the environment, beside the binary, in ./bin, in the bin
// folder of the module that the working directory lies in.
func find() (string, error) {
	if path := os.Getenv(LibraryEnv); path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fault.New(fault.Usage, "%s names %s, which cannot be read: %w", LibraryEnv, path, err)
		}
		return path, nil
	}
	for _, dir := range places() {
		path := filepath.Join(dir, fileName)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("look for libtorch: %w", err)
		}
	}
	return "", fault.New(fault.Failed, "training and re-ranking need libtorch: run `make native` (it installs Debian's libtorch-dev, "+
		"or uses your PyTorch with PYTHON=python3), or set %s to a %s", LibraryEnv, fileName)
}

func places() []string {
	var dirs []string
	if binary, err := os.Executable(); err == nil {
		if target, err := filepath.EvalSymlinks(binary); err == nil {
			binary = target
		}
		dirs = append(dirs, filepath.Dir(binary), filepath.Join(filepath.Dir(binary), "..", "lib"))
	}
	dirs = append(dirs, "bin")
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return append(dirs, filepath.Join(dir, "bin"))
		}
		dir = filepath.Dir(dir)
	}
	return dirs
}

// Available says whether the library can be loaded, and if not, what to install.
func Available() error {
	_, err := load()
	return err
}

// Library describes the loaded library.
type Library struct {
	Version     string // of PyTorch: "1.13.0"
	Description string // compiler, BLAS and processor features, many lines
	CUDADevices int
}

// Describe loads the library and describes it.
func Describe() (Library, error) {
	c, err := load()
	if err != nil {
		return Library{}, err
	}
	buffer := make([]byte, 1<<14)
	n := c.describe(&buffer[0], int64(len(buffer)))
	return Library{
		Version:     c.version(),
		Description: string(buffer[:min(int(n), len(buffer)-1)]),
		CUDADevices: int(c.cudaDevices()),
	}, nil
}

// LiveTensors counts the tensors of all sessions that are not freed yet.
func LiveTensors() int64 {
	c, err := load()
	if err != nil {
		return 0
	}
	return c.liveTensors()
}
