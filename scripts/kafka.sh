#!/usr/bin/env bash
# A real Apache Kafka for tests: one node, KRaft, on the loopback interface.
#
#   scripts/kafka.sh start DIR    starts it with its log in DIR, and prints host:port when it answers
#   scripts/kafka.sh stop DIR     stops it and removes what it left in DIR
#
# Needs java (17 or later) and, the first time, mvn. The jars are kept in .cache/kafka. KAFKA_VERSION chooses another
# version than that of scripts/kafka/pom.xml; 3.9.1 and 4.1.0 pass the tests. The process is in DIR/kafka-node/pid.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
say() { echo "kafka: $*" >&2; }

[ $# -eq 2 ] || usage
mkdir -p "$2"
dir=$(cd "$2" && pwd)/kafka-node

version=${KAFKA_VERSION:-$(sed -n 's:.*<kafka.version>\(.*\)</kafka.version>.*:\1:p' "$root/scripts/kafka/pom.xml")}
jars=$root/.cache/kafka/$version

fetch() {
  [ -e "$jars/complete" ] && return
  say "fetching Apache Kafka $version with mvn, once"
  rm -rf "$jars"
  mvn -q -B -Dstyle.color=never -f "$root/scripts/kafka/pom.xml" -Dkafka.version="$version" \
    dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$jars" >&2
  touch "$jars/complete"
}

# A port outside the range of outgoing connections that nobody listens on.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 10000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

run_java() {
  java -Xmx"${KAFKA_HEAP:-512m}" -XX:+UseSerialGC -Dorg.slf4j.simpleLogger.defaultLogLevel=info -cp "$jars/*" "$@"
}

start() {
  fetch
  if [ -e "$dir/pid" ] && kill -0 "$(cat "$dir/pid")" 2>/dev/null; then
    cat "$dir/address"
    return
  fi
  rm -rf "$dir"
  mkdir -p "$dir"
  local broker controller
  broker=$(free_port)
  controller=$(free_port)
  cat > "$dir/server.properties" <<PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$broker,CONTROLLER://127.0.0.1:$controller
advertised.listeners=PLAINTEXT://127.0.0.1:$broker
controller.listener.names=CONTROLLER
log.dirs=$dir/log
message.max.bytes=16777216
replica.fetch.max.bytes=16777216
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=100
PROPERTIES
  local id
  id=A$(head -c 15 /dev/urandom | base64 | tr '+/' '-_')A # 22 characters, none of them padding, not a '-' first
  run_java kafka.tools.StorageTool format --cluster-id "$id" --config "$dir/server.properties" > "$dir/format.out" 2>&1 ||
    { tail -n 20 "$dir/format.out" >&2; exit 1; }
  (cd "$dir" && exec setsid java -Xmx"${KAFKA_HEAP:-512m}" -XX:+UseSerialGC -cp "$jars/*" kafka.Kafka "$dir/server.properties") \
    > "$dir/server.out" 2>&1 < /dev/null &
  echo $! > "$dir/pid"
  for _ in $(seq 300); do
    if ! kill -0 "$(cat "$dir/pid")" 2>/dev/null; then
      tail -n 30 "$dir/server.out" >&2
      say "it ended while starting"
      exit 1
    fi
    if grep -q "Kafka Server started" "$dir/server.out"; then
      echo "127.0.0.1:$broker" | tee "$dir/address"
      return
    fi
    sleep 0.2
  done
  tail -n 30 "$dir/server.out" >&2
  say "it did not start within a minute"
  stop
  exit 1
}

stop() {
  [ -e "$dir/pid" ] || return 0
  local pid
  pid=$(cat "$dir/pid")
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null || true
  rm -rf "$dir"
}

case $1 in
  start) start ;;
  stop) stop ;;
  *) usage ;;
esac
