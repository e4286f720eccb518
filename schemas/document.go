package schemas

// Document is one published document of a patent (EP-1234567-A1): one row of documents/.
//
// An absent text is NULL, never the empty string; in Go that is "" on a field tagged optional. Texts are plain
// words: no markup, no page-break comments, OCR hyphenation joined, boilerplate left out.
type Document struct {
	UCID      string `parquet:"ucid" doc:"country-number-kind of the document: EP-1234567-A1; as written where the file has one, else canonical"`
	PatentID  string `parquet:"patent_id" doc:"canonical patent: country-number, EP padded to 7 digits, US without leading zeros"`
	Country   string `parquet:"country,dict" doc:"publishing office, two letters"`
	DocNumber string `parquet:"doc_number" doc:"number part of patent_id; never a number type, D0668832 has a letter"`
	Kind      string `parquet:"kind,optional,dict" doc:"kind code: A1 A2 A3 A4 A8 A9 B1 B2 ..."`

	Lang         string `parquet:"lang,optional,dict" doc:"language the root element declares, lower case: en de fr ja xx"`
	LangDetected string `parquet:"lang_detected,optional,dict" doc:"language of the longest text as detected: en de fr; NULL when there is too little text"`

	PublicationDate         *Date  `parquet:"publication_date,optional,date" doc:"day of this publication; NULL when the file names no calendar day"`
	PublicationDateRaw      string `parquet:"publication_date_raw,optional" doc:"the same as written in the file (20000600 names only a month)"`
	ApplicationDate         *Date  `parquet:"application_date,optional,date" doc:"filing day"`
	ApplicationDateRaw      string `parquet:"application_date_raw,optional" doc:"the same as written in the file"`
	EarliestPriorityDate    *Date  `parquet:"earliest_priority_date,optional,date" doc:"earliest day among the priority claims, in US files also those to earlier US applications; the filing day when there is no claim"`
	EarliestPriorityDateRaw string `parquet:"earliest_priority_date_raw,optional" doc:"the same as written in the file"`
	DateProduced            *Date  `parquet:"date_produced,optional,date" doc:"day the file was produced: of two files of one document the later wins"`

	FamilyID string `parquet:"family_id,optional" doc:"DOCDB simple family"`
	Status   string `parquet:"status,optional,dict" doc:"new, corrected or deleted, as declared"`

	TitleEN       string `parquet:"title_en,optional" doc:"title, English"`
	TitleDE       string `parquet:"title_de,optional" doc:"title, German"`
	TitleFR       string `parquet:"title_fr,optional" doc:"title, French"`
	AbstractEN    string `parquet:"abstract_en,optional" doc:"abstract, English"`
	AbstractDE    string `parquet:"abstract_de,optional" doc:"abstract, German"`
	AbstractFR    string `parquet:"abstract_fr,optional" doc:"abstract, French"`
	ClaimsEN      string `parquet:"claims_en,optional" doc:"claims, English, one per line"`
	ClaimsDE      string `parquet:"claims_de,optional" doc:"claims, German, one per line"`
	ClaimsFR      string `parquet:"claims_fr,optional" doc:"claims, French, one per line"`
	DescriptionEN string `parquet:"description_en,optional" doc:"description, English, one paragraph per line"`
	DescriptionDE string `parquet:"description_de,optional" doc:"description, German, one paragraph per line"`
	DescriptionFR string `parquet:"description_fr,optional" doc:"description, French, one paragraph per line"`

	OtherTexts []OtherText `parquet:"other_texts,list" doc:"texts in any other language"`

	IPC           []Classification `parquet:"ipc,list" doc:"IPC symbols, each once, in the order of the file"`
	IPCSubclasses []string         `parquet:"ipc_subclasses,list" doc:"distinct 4-character subclasses (A61K), sorted"`
	CPC           []Classification `parquet:"cpc,list" doc:"CPC symbols, each once, in the order of the file"`
	CPCSubclasses []string         `parquet:"cpc_subclasses,list" doc:"distinct 4-character subclasses, sorted"`

	Citations  []Citation `parquet:"citations,list" doc:"patents the document cites (the qrels are made of these: never a feature)"`
	Applicants []string   `parquet:"applicants,list" doc:"applicant names, one format, each once"`
	Inventors  []string   `parquet:"inventors,list" doc:"inventor names, one format, each once"`

	Dialect   string   `parquet:"dialect,dict" doc:"the XML dialect that was read: clef-ip, marec, ifi, epo-st36, uspto-v4"`
	TextBytes int64    `parquet:"text_bytes" doc:"bytes of all text columns together"`
	Truncated bool     `parquet:"truncated" doc:"a byte cap cut the document or one of its fields"`
	Warnings  []string `parquet:"warnings,list" doc:"what was repaired or left out while parsing, one line each"`

	Source Source `parquet:"source" doc:"where the row came from"`
}

// OtherText is a text section in a language that has no column of its own.
type OtherText struct {
	Section string `parquet:"section,dict" doc:"title, abstract, claims or description"`
	Lang    string `parquet:"lang,dict" doc:"language, lower case"`
	Text    string `parquet:"text" doc:"the text"`
}

// Classification is one IPC or CPC symbol, its parts as in WIPO ST.8.
type Classification struct {
	Symbol    string `parquet:"symbol" doc:"normal form: A61K 31/00"`
	Section   string `parquet:"section,dict" doc:"A"`
	Class     string `parquet:"class,dict" doc:"A61"`
	Subclass  string `parquet:"subclass,dict" doc:"A61K"`
	MainGroup string `parquet:"main_group,optional" doc:"31"`
	Subgroup  string `parquet:"subgroup,optional" doc:"00"`
	Version   string `parquet:"version,optional,dict" doc:"20060101, or the edition (6) of old short symbols"`
	Level     string `parquet:"level,optional,dict" doc:"A advanced, C core, S subclass"`
	Position  string `parquet:"position,optional,dict" doc:"F first, L later"`
	Value     string `parquet:"value,optional,dict" doc:"I invention, N additional"`
	Source    string `parquet:"source,optional,dict" doc:"H human, M machine, G generated"`
}

// Citation is one patent that a document cites.
type Citation struct {
	UCID     string `parquet:"ucid" doc:"cited document: its ucid as written, else made of country, number and kind"`
	PatentID string `parquet:"patent_id" doc:"cited patent, canonical"`
	Source   string `parquet:"source,optional,dict" doc:"who cited: APP applicant, SEA search, EXA examiner, OPP, 115 ...; SEA/EXA on EPO grants, whose list doesn't tell; other, third party in US files"`
	Category string `parquet:"category,optional,dict" doc:"search report category: X, Y, A ..."`
}

// Source is the Kafka record that a document was read from, and the bytes that the record was made of.
type Source struct {
	Topic     string `parquet:"topic,dict" doc:"Kafka topic"`
	Partition int32  `parquet:"partition" doc:"partition"`
	Offset    int64  `parquet:"offset" doc:"offset"`
	Timestamp int64  `parquet:"timestamp,timestamp(microsecond)" doc:"time of the record, UTC"`
	Path      string `parquet:"path" doc:"file it was published from; archive members after '!'"`
	ByteStart int64  `parquet:"byte_start" doc:"first byte of the document in that file or archive member"`
	ByteEnd   int64  `parquet:"byte_end" doc:"byte after the last"`
	SHA256    string `parquet:"sha256" doc:"hash of the document's bytes, hexadecimal"`
}
