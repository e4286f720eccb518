"""Scores the runs 0.run, 1.run ... of a folder with trec_eval and prints the values by case, topic and measure."""
import json
import sys

import pytrec_eval

folder, cases = sys.argv[1], int(sys.argv[2])
measures = {"recall.5,100,200", "map_cut.10,100", "map", "ndcg_cut.10,100", "ndcg", "recip_rank", "success.1,5"}
values = []
for case in range(cases):
    with open(f"{folder}/{case}.qrels") as f:
        qrels = pytrec_eval.parse_qrel(f)
    with open(f"{folder}/{case}.run") as f:
        run = pytrec_eval.parse_run(f)
    values.append(pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run))
json.dump(values, sys.stdout)
