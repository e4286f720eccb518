package publish

import (
	"path"
	"strings"
)

// Reasons why a file is no input. They are keys of Result.Junk.
const (
	junkHidden      = "hidden"        // .DS_Store, ._EP-1.xml, __MACOSX/
	junkMerged      = "merged"        // UN-EP-1152529.xml: several documents merged by another tool
	junkAbstract    = "abstract-text" // EP-1_abs.txt
	junkSchema      = "schema"        // DTDs, entity sets, style sheets
	junkImage       = "image"
	junkOther       = "other-type"    // the name of some other kind of file
	junkSpecial     = "special-file"  // a pipe, socket or device
	junkLinkedTree  = "linked-folder" // a link to a folder inside a tree
	junkEmpty       = "empty"         // nothing or white space only
	junkWithoutRoot = "no-element"    // text without an XML element
)

var junkExtensions = map[string]string{
	".dtd": junkSchema, ".ent": junkSchema, ".mod": junkSchema, ".xsd": junkSchema, ".rng": junkSchema, ".xsl": junkSchema, ".xslt": junkSchema, ".css": junkSchema,
	".tif": junkImage, ".tiff": junkImage, ".gif": junkImage, ".png": junkImage, ".jpg": junkImage, ".jpeg": junkImage, ".bmp": junkImage, ".svg": junkImage, ".pdf": junkImage,
	".txt": junkOther, ".csv": junkOther, ".tsv": junkOther, ".json": junkOther, ".jsonl": junkOther, ".html": junkOther, ".htm": junkOther, ".md": junkOther,
	".log": junkOther, ".md5": junkOther, ".sha1": junkOther, ".sha256": junkOther, ".parquet": junkOther, ".arrow": junkOther, ".doc": junkOther, ".docx": junkOther,
}

// junkName returns the reason why a file of this name cannot hold patents, or "" when its content must decide. name has
// slashes.
func junkName(name string) string {
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasPrefix(base, "."), strings.HasPrefix(name, "__MACOSX/"), strings.Contains(name, "/__MACOSX/"):
		return junkHidden
	case strings.HasPrefix(base, "un-") && strings.HasSuffix(base, ".xml"):
		return junkMerged
	case strings.HasSuffix(base, "_abs.txt"):
		return junkAbstract
	}
	return junkExtensions[path.Ext(base)]
}
