// Package cluster is a Kafka cluster as the stages see it: how to reach it, its id, the offsets of a topic, topics
// that must exist, and a writer that loses nothing. Every error names the address, the reason and what to check.
package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"

	"dssdnet/internal/fault"
)

const (
	clientID    = "dssdnet"
	dialTimeout = 10 * time.Second
	// requestTimeout is long enough for a batch of 12 MiB on a slow line.
	requestTimeout = time.Minute
)

// Config says how to reach a cluster. The zero value means none: the embedded broker.
type Config struct {
	Brokers       []string `yaml:"brokers" help:"addresses of the Kafka brokers, host:port; none = the embedded broker"`
	TLS           bool     `yaml:"tls" help:"encrypt the connections to Kafka; implied by the other TLS settings"`
	TLSCA         string   `yaml:"tls-ca" help:"PEM file with the authorities that may sign the brokers' certificates; none = the system's"`
	TLSCert       string   `yaml:"tls-cert" help:"PEM file with the client certificate"`
	TLSKey        string   `yaml:"tls-key" help:"PEM file with the key of the client certificate"`
	TLSInsecure   bool     `yaml:"tls-insecure" help:"do not check the brokers' certificates"`
	SASLMechanism string   `yaml:"sasl-mechanism" help:"login at the brokers: plain, scram-sha-256 or scram-sha-512"`
	SASLUser      string   `yaml:"sasl-user" help:"user of the login"`
	SASLPassword  string   `yaml:"sasl-password" help:"password of the login; better in the environment than in a flag" json:"-"`
}

// mechanisms makes the login for each value of SASLMechanism.
var mechanisms = map[string]func(user, password string) (sasl.Mechanism, error){
	"plain": func(user, password string) (sasl.Mechanism, error) {
		return plain.Mechanism{Username: user, Password: password}, nil
	},
	"scram-sha-256": func(user, password string) (sasl.Mechanism, error) {
		return scram.Mechanism(scram.SHA256, user, password)
	},
	"scram-sha-512": func(user, password string) (sasl.Mechanism, error) {
		return scram.Mechanism(scram.SHA512, user, password)
	},
}

// Embedded reports whether no cluster is given, so that the embedded broker is meant.
func (c Config) Embedded() bool { return len(c.Brokers) == 0 }

// Validate checks the settings without a connection. The error is a fault.Usage.
func (c Config) Validate() error {
	if c.Embedded() {
		return fault.New(fault.Usage, "no Kafka broker is given: set --brokers host:port")
	}
	for _, b := range c.Brokers {
		if _, port, err := net.SplitHostPort(b); err != nil || port == "" {
			return fault.New(fault.Usage, "--brokers: %q is not an address like kafka.example.org:9092", b)
		}
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return fault.New(fault.Usage, "--tls-cert and --tls-key belong together: give both or none")
	}
	if c.SASLMechanism == "" {
		if c.SASLUser != "" || c.SASLPassword != "" {
			return fault.New(fault.Usage, "a user or password is given without --sasl-mechanism (plain, scram-sha-256, scram-sha-512)")
		}
		return nil
	}
	if mechanisms[c.SASLMechanism] == nil {
		return fault.New(fault.Usage, "--sasl-mechanism: %q is not one of plain, scram-sha-256, scram-sha-512", c.SASLMechanism)
	}
	if c.SASLUser == "" {
		return fault.New(fault.Usage, "--sasl-mechanism %s needs --sasl-user", c.SASLMechanism)
	}
	return nil
}

// LogValue keeps the password out of logs.
func (c Config) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("brokers", c.Brokers), slog.Bool("tls", c.encrypted()),
		slog.String("sasl-mechanism", c.SASLMechanism), slog.String("sasl-user", c.SASLUser))
}

func (c Config) encrypted() bool {
	return c.TLS || c.TLSInsecure || c.TLSCA != "" || c.TLSCert != ""
}

func (c Config) tls() (*tls.Config, error) {
	if !c.encrypted() {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: c.TLSInsecure} //nolint:gosec // asked for by name
	if c.TLSCA != "" {
		pem, err := os.ReadFile(c.TLSCA)
		if err != nil {
			return nil, fault.New(fault.Usage, "--tls-ca: %w", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fault.New(fault.Usage, "--tls-ca: %s holds no certificate in PEM form", c.TLSCA)
		}
	}
	if c.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return nil, fault.New(fault.Usage, "--tls-cert %s, --tls-key %s: %w", c.TLSCert, c.TLSKey, err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

func (c Config) sasl() (sasl.Mechanism, error) {
	if c.SASLMechanism == "" {
		return nil, nil
	}
	m, err := mechanisms[c.SASLMechanism](c.SASLUser, c.SASLPassword)
	if err != nil {
		return nil, fault.New(fault.Usage, "--sasl-user or --sasl-password: %w", err)
	}
	return m, nil
}

func (c Config) security() (*tls.Config, sasl.Mechanism, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	t, err := c.tls()
	if err != nil {
		return nil, nil, err
	}
	m, err := c.sasl()
	return t, m, err
}

// Dialer is what a kafka.Reader or kafka.ConsumerGroup connects with.
func (c Config) Dialer() (*kafka.Dialer, error) {
	t, m, err := c.security()
	if err != nil {
		return nil, err
	}
	return &kafka.Dialer{ClientID: clientID, Timeout: dialTimeout, DualStack: true, TLS: t, SASLMechanism: m}, nil
}

// Transport is what a kafka.Client or kafka.Writer connects with. Give it to [Release] when done.
func (c Config) Transport() (*kafka.Transport, error) {
	t, m, err := c.security()
	if err != nil {
		return nil, err
	}
	return &kafka.Transport{ClientID: clientID, DialTimeout: dialTimeout, TLS: t, SASL: m}, nil
}

// Client sends single requests. Give its Transport to [Release] when done.
func (c Config) Client() (*kafka.Client, error) {
	t, err := c.Transport()
	if err != nil {
		return nil, err
	}
	return &kafka.Client{Addr: c.addr(), Timeout: requestTimeout, Transport: t}, nil
}

func (c Config) addr() net.Addr { return kafka.TCP(slices.Clone(c.Brokers)...) }

func (c Config) String() string { return strings.Join(c.Brokers, ",") }

// Release closes the connections of a Client or Writer, which neither of them does. Later use opens new ones.
func Release(t kafka.RoundTripper) {
	if t, ok := t.(*kafka.Transport); ok {
		t.CloseIdleConnections()
	}
}
