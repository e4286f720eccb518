package schemas

// Topic is one patent application to search prior art for: one row of topics/.
type Topic struct {
	TopicID  string `parquet:"topic_id" doc:"PAC-1001 (2010) or the ucid EP-1221372-A2 (2011)"`
	PatentID string `parquet:"patent_id" doc:"patent of the topic, canonical: never a candidate of its own pool"`
	UCID     string `parquet:"ucid" doc:"document of the topic"`
	Set      string `parquet:"set,dict" doc:"name of the topic set: 2010-train"`
	Split    string `parquet:"split,dict" doc:"train, valid or test"`
	Lang     string `parquet:"lang,optional,dict" doc:"language of the document: en de fr"`

	Title      string `parquet:"title,optional" doc:"title, English"`
	Abstract   string `parquet:"abstract,optional" doc:"abstract, English"`
	Claims     string `parquet:"claims,optional" doc:"claims, English"`
	TitleDE    string `parquet:"title_de,optional" doc:"title, German"`
	TitleFR    string `parquet:"title_fr,optional" doc:"title, French"`
	AbstractDE string `parquet:"abstract_de,optional" doc:"abstract, German"`
	AbstractFR string `parquet:"abstract_fr,optional" doc:"abstract, French"`
	ClaimsDE   string `parquet:"claims_de,optional" doc:"claims, German"`
	ClaimsFR   string `parquet:"claims_fr,optional" doc:"claims, French"`

	PublicationDate      *Date    `parquet:"publication_date,optional,date" doc:"publication day"`
	ApplicationDate      *Date    `parquet:"application_date,optional,date" doc:"filing day"`
	EarliestPriorityDate *Date    `parquet:"earliest_priority_date,optional,date" doc:"earliest priority day"`
	FamilyID             string   `parquet:"family_id,optional" doc:"DOCDB simple family"`
	IPCSubclasses        []string `parquet:"ipc_subclasses,list" doc:"distinct IPC subclasses, sorted"`
}
