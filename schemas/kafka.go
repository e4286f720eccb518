package schemas

// Kafka topics of the pipeline. A record of TopicXML is one patent document: the key is its canonical patent id,
// so that all documents of a patent lie on one partition in the order of publication; the value is the XML as it
// was found, in its own encoding.
const (
	TopicXML        = "patents.xml"
	TopicDeadLetter = "patents.dlq"
)

// Headers of a record of TopicXML. The bytes of the value are bytes [start, end) of the file or archive member
// at the path.
const (
	HeaderVersion = "dssdnet.version" // version of this set of headers, decimal
	HeaderPath    = "dssdnet.path"    // file; archive members after '!': a.tar.gz!EP/1.xml
	HeaderRange   = "dssdnet.range"   // "start-end", decimal, end exclusive
	HeaderSHA256  = "dssdnet.sha256"  // hash of the value, hexadecimal
	// HeaderCutFrom is set when the document was longer than the publisher's cap and the value is its beginning:
	// the length of the whole document in bytes, decimal.
	HeaderCutFrom = "dssdnet.cut-from"
)

// RecordVersion is the version of the headers above that this build writes.
//
//	1  first
const RecordVersion = "1"

// Headers of a dead letter beside those of the record that failed. The names are Kafka Connect's, so that tools
// for its dead letter queues read ours.
const (
	HeaderErrorTopic     = "__connect.errors.topic"
	HeaderErrorPartition = "__connect.errors.partition"
	HeaderErrorOffset    = "__connect.errors.offset"
	HeaderErrorConnector = "__connect.errors.connector.name"
	HeaderErrorTask      = "__connect.errors.task.id"
	HeaderErrorStage     = "__connect.errors.stage"                // "publish" or "parse"
	HeaderErrorClass     = "__connect.errors.exception.class.name" // short reason code: unsupported-root, truncated ...
	HeaderErrorMessage   = "__connect.errors.exception.message"    // one sentence with the place and the reason
)

// Headers of a dead letter that Kafka Connect has no name for.
const (
	HeaderExcerpt = "dssdnet.excerpt" // the place of the error in the document, UTF-8, a few hundred bytes
	// HeaderValueCut is set when the failed record was too long for the dead letter topic and the value is its
	// beginning: the length of the whole value in bytes, decimal. Such a letter can't be replayed.
	HeaderValueCut = "dssdnet.value-cut"
)

// HeaderReplay marks a record of TopicXML that was sent again from a dead letter: "partition:offset" of the letter.
const HeaderReplay = "dssdnet.replay"
