package measure

// pres is the Patent Retrieval Evaluation Score of Magdy and Jones (SIGIR 2010) with N_max = k:
//
//	1 - (S/n - (n+1)/2) / k,   S = sum_j r_j + (n-R)(k+n) - (n-R)(n-R-1)/2
//
// A gold that is not in the first k takes one of the ranks from k+n down, so finding nothing scores 0. N_max is k also
// when the ranking is shorter. DSSDNet's paper prints Z_i R_i where (Z_i - R_i) belongs.
func pres(t *Topic, k int) float64 {
	found := t.within(k)
	n, depth := float64(t.Golds()), float64(k)
	missed := n - float64(len(found))
	sum := missed*(depth+n) - missed*(missed-1)/2
	for _, gold := range found {
		sum += float64(gold.Rank)
	}
	return 1 - (sum/n-(n+1)/2)/depth
}
