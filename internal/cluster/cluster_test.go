package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"go.uber.org/goleak"

	"dssdnet/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs a broker and returns how to reach it.
func start(t *testing.T, opts ...kfake.Opt) Config {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1), kfake.ClusterID("test-cluster"),
		kfake.BrokerConfigs(map[string]string{"message.max.bytes": "16777216"})}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return Config{Brokers: c.ListenAddrs()}
}

// certificate makes a self-signed server certificate for 127.0.0.1 and the file that names it as an authority.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "broker"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, ca
}

func write(t *testing.T, c Config, topic string, values ...string) {
	t.Helper()
	w, err := NewWriter(c, topic, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer Release(w.Transport)
	defer w.Close()
	var messages []kafka.Message
	for _, v := range values {
		messages = append(messages, kafka.Message{Key: []byte("EP-1000000"), Value: []byte(v)})
	}
	if err := w.WriteMessages(t.Context(), messages...); err != nil {
		t.Fatal(err)
	}
}

func TestTopicAndSpans(t *testing.T) {
	c := start(t)
	settings := map[string]string{"max.message.bytes": "16777216", "retention.ms": "-1"}
	for range 2 {
		if err := EnsureTopic(t.Context(), c, "patents.xml", 4, settings); err != nil {
			t.Fatal(err)
		}
	}
	write(t, c, "patents.xml", "one", "two", strings.Repeat("x", 10<<20))
	spans, err := Spans(t.Context(), c, "patents.xml")
	if err != nil {
		t.Fatal(err)
	}
	var records int64
	for _, s := range spans {
		records += s.End - s.First
		if s.End != 0 && s.End != 3 {
			t.Errorf("a partition ends at %d: the records of one key are not together", s.End)
		}
	}
	if len(spans) != 4 || records != 3 {
		t.Errorf("%d partitions with %d records, want 4 with 3: %v", len(spans), records, spans)
	}
	if id, err := ID(t.Context(), c); id != "test-cluster" || err != nil {
		t.Errorf("id %q, error %v", id, err)
	}
}

func TestNoTopic(t *testing.T) {
	_, err := Spans(t.Context(), start(t), "patents.xml")
	if err == nil || !strings.Contains(err.Error(), "has no topic patents.xml") {
		t.Fatalf("error %v", err)
	}
}

func TestTLSAndLogin(t *testing.T) {
	cert, ca := certificate(t)
	c := start(t, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}), kfake.EnableSASL(),
		kfake.Superuser("SCRAM-SHA-512", "ann", "right"), kfake.Superuser("SCRAM-SHA-256", "ann", "right"), kfake.Superuser("PLAIN", "ann", "right"))
	c.TLSCA = ca
	for _, mechanism := range []string{"plain", "scram-sha-256", "scram-sha-512"} {
		c.SASLMechanism, c.SASLUser, c.SASLPassword = mechanism, "ann", "right"
		if err := EnsureTopic(t.Context(), c, "t-"+mechanism, 1, nil); err != nil {
			t.Fatalf("%s: %v", mechanism, err)
		}
		write(t, c, "t-"+mechanism, "value")
		d, err := c.Dialer()
		if err != nil {
			t.Fatal(err)
		}
		conn, err := d.DialContext(t.Context(), "tcp", c.Brokers[0])
		if err != nil {
			t.Fatalf("%s: %v", mechanism, err)
		}
		conn.Close()
	}
}

func TestErrorsSayWhatToCheck(t *testing.T) {
	cert, ca := certificate(t)
	secure := start(t, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}))
	login := start(t, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "ann", "right"))
	open := start(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := listener.Addr().String()
	listener.Close()

	with := func(c Config, change func(*Config)) Config { change(&c); return c }
	for name, tc := range map[string]struct {
		config Config
		want   []string
	}{
		"refused":        {Config{Brokers: []string{nobody}}, []string{nobody, "connection refused", "check the port in --brokers"}},
		"no such host":   {Config{Brokers: []string{"nowhere.invalid:9092"}}, []string{"nowhere.invalid", "check the host name"}},
		"wrong password": {with(login, func(c *Config) { c.SASLMechanism, c.SASLUser, c.SASLPassword = "scram-sha-256", "ann", "wrong" }), []string{"check --sasl-user and --sasl-password"}},
		"wrong mechanism": {with(login, func(c *Config) { c.SASLMechanism, c.SASLUser, c.SASLPassword = "scram-sha-512", "ann", "right" }),
			[]string{"--sasl-mechanism"}},
		"login missing":     {login, []string{"--sasl-mechanism"}},
		"TLS missing":       {secure, []string{"--tls"}},
		"unknown authority": {with(secure, func(c *Config) { c.TLS = true }), []string{"certificate signed by unknown authority", "--tls-ca"}},
		"TLS not spoken":    {with(open, func(c *Config) { c.TLSCA = ca }), []string{"TLS"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, err := ID(ctx, tc.config)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range append(tc.want, "at Kafka "+tc.config.Brokers[0]) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
}

func TestValidate(t *testing.T) {
	broker := []string{"localhost:9092"}
	for want, c := range map[string]Config{
		"no Kafka broker is given":    {},
		"is not an address":           {Brokers: []string{"localhost"}},
		"belong together":             {Brokers: broker, TLSCert: "cert.pem"},
		"without --sasl-mechanism":    {Brokers: broker, SASLUser: "ann"},
		"is not one of plain":         {Brokers: broker, SASLMechanism: "kerberos", SASLUser: "ann"},
		"needs --sasl-user":           {Brokers: broker, SASLMechanism: "plain"},
		"no such file":                {Brokers: broker, TLSCA: filepath.Join(t.TempDir(), "none.pem")},
		"holds no certificate in PEM": {Brokers: broker, TLSCA: "config.go"},
		"failed to find any PEM data": {Brokers: broker, TLSCert: "config.go", TLSKey: "config.go"},
	} {
		_, err := c.Transport()
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("error %v (%v), want a usage error with %q", err, fault.KindOf(err), want)
		}
	}
}

func TestPasswordStaysOut(t *testing.T) {
	c := Config{Brokers: []string{"b:1"}, SASLMechanism: "plain", SASLUser: "ann", SASLPassword: "secret"}
	if s := c.LogValue().String() + c.String(); strings.Contains(s, "secret") {
		t.Errorf("%s shows the password", s)
	}
}
