// Package lineage tells other systems of pipeline runs: OpenLineage which step read and wrote what, and MLflow the
// settings, losses and figures of training and evaluation.
//
// In: the events of a run, as a [pipelines.Observer]. Out: HTTP requests to the servers that the environment names.
// Promised: without their variables nothing is started; a server that is down, slow or wrong neither fails nor holds up
// a run. Events wait in a bounded queue; those that no server took are counted, and told when the observers are closed.
package lineage
