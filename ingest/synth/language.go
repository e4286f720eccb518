package synth

import "strings"

// Languages of the European Patent Office.
const (
	languageEN = iota
	languageDE
	languageFR
	languages
)

// language is what the texts of one language are made of.
type language struct {
	code string // as in the lang attribute
	// function words with their frequency: "the 60 of 40". They make half of every text, so that language
	// detection has what it looks for.
	function string
	common   string // words of every patent, the most frequent first
	// Parts of made-up words.
	onsets, nuclei, codas, endings []string
	nouns                          bool // nouns are written with a capital

	heads     []string // how a title begins
	independs []string // how a claim begins that stands alone
	depends   []string // how a claim begins that refers to another; its number replaces #
	disclosed []string // how an abstract begins
	joints    [2]string
}

var languageList = [languages]language{
	languageEN: {
		code: "EN",
		function: `the 68 of 36 a 30 and 24 to 22 in 20 is 16 said 10 for 10 with 9 by 8 or 8 which 7 an 7 be 7 as 6 at 5
			that 5 from 5 are 5 on 5 wherein 4 comprising 4 this 3 it 3 each 3 having 3 can 3 one 3 between 2 least 2 such 2
			has 2 not 2 may 2 thereof 1 being 1 whereby 1 when 1 than 1 these 1 also 1 into 1 other 1 so 1 therefrom 1 upon 1`,
		common: `device method first second surface portion element invention end part side body according system
			unit member example layer structure position embodiment figure material pressure temperature control data signal
			direction plate shown formed connected provided arranged present used described process output input value
			high low water heat solution mixture percent weight ratio time preferably substantially respectively`,
		onsets:    strings.Fields("b c d f g h l m n p r s t v w br cl cr dr fl gr pl pr sl sp st tr th sh ch"),
		nuclei:    strings.Fields("a e i o u a e i o ea ou ai oo"),
		codas:     strings.Fields("n r l t s m ck nd st rt ng x"),
		endings:   strings.Fields("er ing ion or ment ant ium ine ate al ance ure ester oid ise ity"),
		heads:     []string{"Method for", "Apparatus for", "Device for", "System for", "Composition for", "Process for", "Arrangement of"},
		independs: []string{"A device comprising a", "A method of", "An apparatus for a", "A system having a", "A composition containing a"},
		depends:   []string{"The device according to claim #, wherein the", "A method as claimed in claim #, in which the", "The apparatus of claim #, characterised in that the"},
		disclosed: []string{"The invention relates to a", "Disclosed is a", "A", "There is provided a", "The present invention concerns a"},
		joints:    [2]string{"with", "and"},
	},
	languageDE: {
		code: "DE",
		function: `der 40 die 38 und 28 in 18 des 16 eine 14 ein 13 mit 13 zur 10 den 10 dem 9 von 9 ist 9 einer 8 das 8
			auf 7 für 6 sich 6 eines 6 durch 6 wird 6 im 6 zu 6 nach 5 an 5 einem 5 einen 5 oder 5 daß 4 bei 4 aus 4 werden 4
			als 3 am 3 sind 3 wobei 3 nicht 3 über 3 dadurch 2 sowie 2 auch 2 zwischen 2 dieser 2 kann 2 bis 2 vom 2 um 2 so 2
			wenn 1 welche 1 jeweils 1 diese 1 es 1 nur 1 zum 4`,
		common: `Verfahren Vorrichtung gemäß Anspruch gekennzeichnet Erfindung Teil Fläche erste zweite Seite Ende Mittel
			Element Bereich Einrichtung angeordnet Beispiel Figur Schicht Material Druck Temperatur Steuerung Signal Richtung
			Platte dargestellt ausgebildet verbunden vorgesehen vorliegende Lösung Gemisch Wasser Wärme Gewicht Verhältnis
			Zeit vorzugsweise Gehäuse Ausführungsform Stellung Körper Wert Eingang Ausgang bekannt insbesondere`,
		onsets:  strings.Fields("b d f g h k l m n p r s t w z sch st sp pf br gr kr schl tr v"),
		nuclei:  strings.Fields("a e i o u a e i ä ö ü ei au ie eu"),
		codas:   strings.Fields("n r l t ch rt nd ng ck st lt ss"),
		endings: strings.Fields("ung er keit heit el en ig lich stoff werk ler nis schaft tum sam bar"),
		nouns:   true,
		heads: []string{"Verfahren zur Herstellung von", "Vorrichtung für", "Einrichtung mit", "System für", "Zusammensetzung aus",
			"Anordnung von"},
		independs: []string{"Vorrichtung mit einem", "Verfahren zum", "Einrichtung, bei der ein", "Anordnung aus einem", "Mittel mit einem"},
		depends: []string{"Vorrichtung nach Anspruch #, dadurch gekennzeichnet, daß der", "Verfahren nach Anspruch #, bei dem der",
			"Einrichtung gemäß Anspruch #, wobei die"},
		disclosed: []string{"Die Erfindung betrifft ein", "Es wird ein", "Beschrieben ist eine", "Gegenstand der Erfindung ist ein"},
		joints:    [2]string{"mit", "und"},
	},
	languageFR: {
		code: "FR",
		function: `de 60 la 34 le 28 et 26 les 24 des 20 une 18 un 18 à 16 en 14 du 14 par 12 dans 11 est 11 pour 10 que 8
			au 8 sur 7 qui 7 avec 6 ou 6 dont 5 ce 4 se 4 selon 4 être 4 caractérisé 3 cette 3 sont 3 aux 3 plus 3 ledit 3
			ladite 3 comprend 2 entre 2 comme 2 il 2 on 2 ne 2 pas 2 lequel 2 sans 1 peut 2 ainsi 1 son 1 sa 1 ses 1 elle 1
			leur 1 même 1 lorsque 1 chaque 1`,
		common: `dispositif procédé invention revendication partie surface moyens élément première seconde côté corps système
			couche figure matériau pression température commande signal direction plaque représenté formé relié prévu
			présente utilisé décrit sortie entrée valeur eau chaleur solution mélange poids rapport temps préférence
			extrémité axe position ensemble forme application mode réalisation`,
		onsets:    strings.Fields("b c d f g l m n p r s t v j br cl cr fl gr pl pr tr ch qu"),
		nuclei:    strings.Fields("a e i o u a i é ai ou eu oi on an"),
		codas:     strings.Fields("n r l s t m x rt"),
		endings:   strings.Fields("tion eur age ique ment ité euse ure oire ance eux ette ine ier elle isme"),
		heads:     []string{"Procédé de", "Dispositif de", "Machine pour", "Système de", "Composition de", "Ensemble de"},
		independs: []string{"Dispositif comprenant un", "Procédé pour", "Machine ayant un", "Système comportant une", "Composition contenant un"},
		depends: []string{"Dispositif selon la revendication #, caractérisé en ce que le", "Procédé selon la revendication #, dans lequel la",
			"Machine suivant la revendication #, où le"},
		disclosed: []string{"L'invention concerne un", "L'invention a pour objet une", "La présente invention se rapporte à un", "Un"},
		joints:    [2]string{"avec", "et"},
	},
}
