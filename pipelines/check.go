package pipelines

// Check finds what is wrong with a call, a pipeline file and the settings of its steps, and does not look at what the
// steps read: for those who will run it later. It returns the pipeline's name.
func Check(c Config) (name string, err error) {
	r, err := prepare(c, stages, thisMachine())
	if err != nil {
		return "", err
	}
	return r.plan.name, nil
}
