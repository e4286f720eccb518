package schemas

// Patent is one patent with its documents merged section by section: one row of patents/.
//
// The newest document that has a section gives it (kind order B2 B1 A9 ... A1, then publication date).
type Patent struct {
	PatentID  string   `parquet:"patent_id" doc:"canonical patent: EP-1234567"`
	Country   string   `parquet:"country,dict" doc:"publishing office"`
	Kinds     []string `parquet:"kinds,list" doc:"kind codes of the merged documents, sorted"`
	Documents []string `parquet:"documents,list" doc:"ucids of the merged documents, sorted"`

	PublicationDate      *Date  `parquet:"publication_date,optional,date" doc:"earliest publication day of its documents"`
	ApplicationDate      *Date  `parquet:"application_date,optional,date" doc:"earliest filing day of its documents"`
	EarliestPriorityDate *Date  `parquet:"earliest_priority_date,optional,date" doc:"earliest priority day of its documents"`
	FamilyID             string `parquet:"family_id,optional" doc:"DOCDB simple family"`

	Title       string `parquet:"title,optional" doc:"title, English"`
	Abstract    string `parquet:"abstract,optional" doc:"abstract, English"`
	Claims      string `parquet:"claims,optional" doc:"claims, English"`
	Description string `parquet:"description,optional" doc:"description, English"`

	TitleDE       string `parquet:"title_de,optional" doc:"title, German"`
	TitleFR       string `parquet:"title_fr,optional" doc:"title, French"`
	AbstractDE    string `parquet:"abstract_de,optional" doc:"abstract, German"`
	AbstractFR    string `parquet:"abstract_fr,optional" doc:"abstract, French"`
	ClaimsDE      string `parquet:"claims_de,optional" doc:"claims, German"`
	ClaimsFR      string `parquet:"claims_fr,optional" doc:"claims, French"`
	DescriptionDE string `parquet:"description_de,optional" doc:"description, German"`
	DescriptionFR string `parquet:"description_fr,optional" doc:"description, French"`

	TextLang string `parquet:"text_lang,optional,dict" doc:"best language with a title or an abstract: en, else de, else fr; NULL when none has"`

	IPCSubclasses []string   `parquet:"ipc_subclasses,list" doc:"distinct IPC subclasses of all documents, sorted"`
	CPCSubclasses []string   `parquet:"cpc_subclasses,list" doc:"distinct CPC subclasses of all documents, sorted"`
	Citations     []Citation `parquet:"citations,list" doc:"citations of all documents, each cited patent once, strongest category"`
}
