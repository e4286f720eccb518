package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/segmentio/kafka-go"
)

// Explain says what an error of a request to the cluster means to the one who runs the command. It keeps err in the
// chain and returns nil for nil.
func (c Config) Explain(doing string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if strings.HasPrefix(err.Error(), "kafka.(*Client)") { // the library's name for what doing says
		if cause := errors.Unwrap(err); cause != nil {
			err = cause
		}
	}
	return fmt.Errorf("%s at Kafka %s: %w%s", doing, c, err, c.advice(err))
}

// advice is what to check, with the punctuation before it.
func (c Config) advice(err error) string {
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		record    tls.RecordHeaderError
		netErr    net.Error
		kafkaErr  kafka.Error
	)
	switch {
	case errors.As(err, &authority):
		return "; name the authority that signed the broker's certificate with --tls-ca"
	case errors.As(err, &hostname):
		return "; use the host name of the broker's certificate in --brokers"
	case errors.As(err, &record):
		return "; this port speaks no TLS: use the broker's TLS port, or leave out the TLS settings"
	case errors.Is(err, kafka.SASLAuthenticationFailed):
		return "; check --sasl-user and --sasl-password"
	case errors.Is(err, kafka.UnsupportedSASLMechanism):
		return "; the broker does not offer --sasl-mechanism " + c.SASLMechanism
	case errors.As(err, &kafkaErr):
		return ""
	case errors.As(err, &dns):
		return "; check the host name in --brokers"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "; check the port in --brokers and that the broker runs"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return c.hangUp()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		if c.encrypted() {
			return "; no answer in time: check the address in --brokers, firewalls, and that this port speaks TLS"
		}
		return "; no answer in time: check the address in --brokers, firewalls, and whether the broker wants TLS (--tls)"
	}
	return ""
}

// hangUp explains a closed connection: brokers answer a wrong password or a missing handshake with nothing else.
func (c Config) hangUp() string {
	switch {
	case c.SASLMechanism != "" && !c.encrypted():
		return "; the broker closed the connection: check --sasl-user and --sasl-password, --sasl-mechanism, and whether it wants --tls"
	case c.SASLMechanism != "":
		return "; the broker closed the connection: check --sasl-user and --sasl-password, and --sasl-mechanism"
	case c.encrypted():
		return "; the broker closed the connection: it may want a login (--sasl-mechanism) or a client certificate (--tls-cert), or speak no TLS"
	}
	return "; the broker closed the connection: it may want TLS (--tls) or a login (--sasl-mechanism)"
}
