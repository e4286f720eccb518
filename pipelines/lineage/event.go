package lineage

import (
	"net/url"

	"dssdnet/internal/manifest"
)

// The schemas that what is sent keeps, as their $id has them.
const (
	specification = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
	facets        = "https://openlineage.io/spec/facets/"

	parentSchema  = facets + "1-2-0/ParentRunFacet.json#/$defs/ParentRunFacet"
	errorSchema   = facets + "1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet"
	engineSchema  = facets + "1-1-1/ProcessingEngineRunFacet.json#/$defs/ProcessingEngineRunFacet"
	jobTypeSchema = facets + "2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet"
	tableSchema   = facets + "1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet"
	versionSchema = facets + "1-0-1/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet"
	readSchema    = facets + "1-0-0/InputStatisticsInputDatasetFacet.json#/$defs/InputStatisticsInputDatasetFacet"
	writtenSchema = facets + "1-0-2/OutputStatisticsOutputDatasetFacet.json#/$defs/OutputStatisticsOutputDatasetFacet"
)

// producer is this build as a package URL.
func producer() string { return "pkg:golang/dssdnet@" + url.PathEscape(manifest.Tool) }

// runEvent is an OpenLineage RunEvent.
type runEvent struct {
	EventType string    `json:"eventType"`
	EventTime string    `json:"eventTime"`
	Run       runOf     `json:"run"`
	Job       jobOf     `json:"job"`
	Inputs    []dataset `json:"inputs"`
	Outputs   []dataset `json:"outputs"`
	Producer  string    `json:"producer"`
	SchemaURL string    `json:"schemaURL"`
}

type runOf struct {
	RunID  string    `json:"runId"`
	Facets runFacets `json:"facets"`
}

type jobOf struct {
	Namespace string    `json:"namespace"`
	Name      string    `json:"name"`
	Facets    jobFacets `json:"facets"`
}

// facet is what every facet has.
type facet struct {
	Producer string `json:"_producer"`
	Schema   string `json:"_schemaURL"`
}

func newFacet(schema string) facet { return facet{producer(), schema} }

type runFacets struct {
	Parent *parentFacet `json:"parent,omitempty"`
	Error  *errorFacet  `json:"errorMessage,omitempty"`
	Engine engineFacet  `json:"processing_engine"`
}

type parentFacet struct {
	facet
	Run runID `json:"run"`
	Job jobID `json:"job"`
}

type runID struct {
	RunID string `json:"runId"`
}

type jobID struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

type errorFacet struct {
	facet
	Message  string `json:"message"`
	Language string `json:"programmingLanguage"`
}

type engineFacet struct {
	facet
	Version string `json:"version"`
	Name    string `json:"name"`
	Adapter string `json:"openlineageAdapterVersion"`
}

type jobFacets struct {
	Type jobTypeFacet `json:"jobType"`
}

type jobTypeFacet struct {
	facet
	Processing  string `json:"processingType"`
	Integration string `json:"integration"`
	Type        string `json:"jobType"`
}

// dataset is an InputDataset or an OutputDataset.
type dataset struct {
	Namespace string         `json:"namespace"`
	Name      string         `json:"name"`
	Facets    datasetFacets  `json:"facets"`
	Read      *readFacets    `json:"inputFacets,omitempty"`
	Written   *writtenFacets `json:"outputFacets,omitempty"`
}

type datasetFacets struct {
	Schema  *schemaFacet  `json:"schema,omitempty"`
	Version *versionFacet `json:"version,omitempty"`
}

type schemaFacet struct {
	facet
	Fields []field `json:"fields"`
}

type field struct {
	Name        string  `json:"name"`
	Type        string  `json:"type"`
	Description string  `json:"description,omitempty"`
	Fields      []field `json:"fields,omitempty"`
}

type versionFacet struct {
	facet
	Version string `json:"datasetVersion"`
}

type readFacets struct {
	Statistics statisticsFacet `json:"inputStatistics"`
}

type writtenFacets struct {
	Statistics statisticsFacet `json:"outputStatistics"`
}

type statisticsFacet struct {
	facet
	Rows  *int64 `json:"rowCount,omitempty"`
	Bytes int64  `json:"size,omitempty"`
	Files int    `json:"fileCount,omitempty"`
}
