package main

import (
	"context"
	"os"

	"dssdnet/pipelines"
	"dssdnet/pipelines/lineage"
)

// observers are those of pipeline runs that the environment asks for, of OpenLineage and MLflow. They are told until the
// program ends.
func (a *app) observers() ([]pipelines.Observer, error) {
	all, done, err := lineage.FromEnv(lineage.Config{Workspace: a.workspace(), Brokers: a.global.Kafka.Brokers, Log: a.log}, os.LookupEnv)
	if err == nil {
		a.closeObservers = done
	}
	return all, err
}

// endObservers waits a moment for what is still to be sent. An interrupt does not cut it short: it comes at the end.
func (a *app) endObservers() {
	if a.closeObservers == nil {
		return
	}
	if err := a.closeObservers(context.Background()); err != nil {
		a.log.Warn("lineage is incomplete", "error", err)
	}
}
