// Package dssd is the Domain-Sensitive Semantic Decomposition Network: what stands on an encoder's representation of
// a pair, and the losses it is trained with. Every file is one idea and names its formula of the paper; docs/paper.md
// says how its open points are read.
//
//	e ─▶ gate (5) ─▶ split (6) ─▶ e_ds, e_di ─▶ fusion with e_t (12) ─▶ score
//
// In come e [B,d] and the domain labels t [B]; out come logits and a loss with its terms by name. All probabilities
// are kept as the difference of the two logits of their head, whose sigmoid they are: losses taken from it do not
// overflow and a ranking by it has no ties at 1.
package dssd
