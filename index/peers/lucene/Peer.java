import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * Indexes documents.txt and searches topics.txt with Lucene, on one thread. Prints one JSON object with the figures,
 * and writes the hits of every topic as numbers of documents, counted from 0.
 *
 * <p>Arguments: folder of the two files, folder for the index, number of hits, "bytes" for the document lengths that
 * Lucene keeps by default, one byte each, or "exact" for whole numbers.
 *
 * <p>A line of the files is an id, a tab, and terms with spaces between them. A term of a topic counts as often as it
 * stands there.
 */
public class Peer {
  static final float K1 = 1.2f;
  static final float B = 0.75f;

  public static void main(String[] args) throws IOException {
    Path in = Path.of(args[0]);
    Path dir = Path.of(args[1]);
    int hits = Integer.parseInt(args[2]);
    Similarity similarity = args[3].equals("exact") ? new ExactLengths() : new BM25Similarity(K1, B);
    IndexSearcher.setMaxClauseCount(1 << 16);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("version", org.apache.lucene.util.Version.LATEST.toString());
    try (Directory directory = new MMapDirectory(dir)) {
      double started = cpuSeconds();
      try (IndexWriter writer = new IndexWriter(directory, config(similarity))) {
        figures.put("documents", add(writer, in.resolve("documents.txt")));
        writer.commit();
        figures.put("build_cpu_s", cpuSeconds() - started);
        started = cpuSeconds();
        writer.forceMerge(1);
        writer.commit();
        figures.put("merge_cpu_s", cpuSeconds() - started);
      }
      figures.put("bytes", bytes(directory));
      started = cpuSeconds();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        figures.put("open_cpu_s", cpuSeconds() - started);
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(similarity);
        searcher.setQueryCache(null);
        Map<String, Query> topics = topics(in.resolve("topics.txt"));
        figures.put("topics", topics.size());
        // All matches scored: by blocks of documents. Otherwise up to 1,000 hits are counted and the rest may be skipped.
        search(searcher, topics, hits, Integer.MAX_VALUE, dir.resolve("all.txt"), "all", figures);
        search(searcher, topics, hits, hits, dir.resolve("skipping.txt"), "skipping", figures);
      }
    }
    figures.put("peak_bytes", peakBytes());
    System.out.println(json(figures));
  }

  static IndexWriterConfig config(Similarity similarity) {
    return new IndexWriterConfig(new WhitespaceAnalyzer())
        .setSimilarity(similarity)
        .setRAMBufferSizeMB(256)
        .setUseCompoundFile(false)
        // Merges in the one thread whose time is taken.
        .setMergeScheduler(new org.apache.lucene.index.SerialMergeScheduler());
  }

  static int add(IndexWriter writer, Path path) throws IOException {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.setTokenized(true);
    type.freeze();
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(path)) {
      for (String line; (line = lines.readLine()) != null; number++) {
        Document document = new Document();
        document.add(new Field("text", line.substring(line.indexOf('\t') + 1), type));
        document.add(new NumericDocValuesField("number", number));
        writer.addDocument(document);
      }
    }
    return number;
  }

  static Map<String, Query> topics(Path path) throws IOException {
    Map<String, Query> topics = new LinkedHashMap<>();
    for (String line : Files.readAllLines(path)) {
      Map<String, Integer> counts = new LinkedHashMap<>();
      for (String term : line.substring(line.indexOf('\t') + 1).split(" ")) {
        if (!term.isEmpty()) {
          counts.merge(term, 1, Integer::sum);
        }
      }
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      counts.forEach((term, n) -> query.add(
          n == 1 ? new TermQuery(new Term("text", term)) : new BoostQuery(new TermQuery(new Term("text", term)), n),
          BooleanClause.Occur.SHOULD));
      topics.put(line.substring(0, line.indexOf('\t')), query.build());
    }
    return topics;
  }

  /** Searches every topic: first to warm up, until that took some seconds or three rounds, then to take the time. */
  static void search(IndexSearcher searcher, Map<String, Query> topics, int hits, int exactHits, Path run, String name,
      Map<String, Object> figures) throws IOException {
    double started = cpuSeconds();
    for (int round = 0; round < 3 && (round == 0 || cpuSeconds() - started < 10); round++) {
      for (Query query : topics.values()) {
        searcher.search(query, new TopScoreDocCollectorManager(hits, exactHits));
      }
    }
    List<ScoreDoc[]> found = new ArrayList<>();
    started = cpuSeconds();
    for (Query query : topics.values()) {
      found.add(searcher.search(query, new TopScoreDocCollectorManager(hits, exactHits)).scoreDocs);
    }
    figures.put(name + "_cpu_ms", (cpuSeconds() - started) * 1000 / Math.max(1, topics.size()));
    figures.put(name + "_run", run.toString());
    NumericDocValues numbers = MultiDocValues.getNumericValues(searcher.getIndexReader(), "number");
    int[] numberOf = new int[searcher.getIndexReader().maxDoc()];
    for (int doc = numbers.nextDoc(); doc != NumericDocValues.NO_MORE_DOCS; doc = numbers.nextDoc()) {
      numberOf[doc] = (int) numbers.longValue();
    }
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(run))) {
      int at = 0;
      for (String topic : topics.keySet()) {
        out.print(topic);
        for (ScoreDoc hit : found.get(at++)) {
          out.print(" " + numberOf[hit.doc]);
        }
        out.println();
      }
    }
  }

  static long bytes(Directory directory) throws IOException {
    long sum = 0;
    for (String file : directory.listAll()) {
      sum += directory.fileLength(file);
    }
    return sum;
  }

  /** Processor time of the process: garbage collection and compiling are in it. */
  static double cpuSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
  }

  static long peakBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return 0;
  }

  static String json(Map<String, Object> figures) {
    StringBuilder out = new StringBuilder("{");
    figures.forEach((key, value) -> out.append(out.length() > 1 ? "," : "").append('"').append(key).append("\":")
        .append(value instanceof Number ? value : "\"" + value + "\""));
    return out.append("}").toString();
  }

  /** The formula of BM25Similarity over the exact length of every document. */
  static class ExactLengths extends Similarity {
    @Override
    public long computeNorm(FieldInvertState state) {
      return state.getLength();
    }

    @Override
    public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
      long n = terms[0].docFreq();
      double idf = Math.log(1 + (collection.docCount() - n + 0.5) / (n + 0.5));
      double average = (double) collection.sumTotalTermFreq() / collection.docCount();
      return new SimScorer() {
        @Override
        public float score(float frequency, long length) {
          return (float) (boost * idf * frequency / (frequency + K1 * (1 - B + B * length / average)));
        }
      };
    }
  }
}
