package schemas

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestQueryMessageIsTheWholeTopic(t *testing.T) {
	day := Date(12345)
	topic := Topic{IPCSubclasses: []string{"A61K", "C07D"}}
	v := reflect.ValueOf(&topic).Elem()
	for i := range v.NumField() { // a field that is added to Topic must be added to the message
		switch f := v.Field(i); f.Interface().(type) {
		case string:
			f.SetString("text of " + v.Type().Field(i).Name)
		case *Date:
			f.Set(reflect.ValueOf(&day))
		}
	}
	data, err := json.Marshal(QueryOf(&topic))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), `"publication_date":"2003-10-20"`) {
		t.Errorf("the message is %s", data)
	}
	var message QueryMessage
	if err := json.Unmarshal(data, &message); err != nil {
		t.Fatal(err)
	}
	back, err := message.Topic()
	if err != nil || !reflect.DeepEqual(*back, topic) {
		t.Errorf("%v: got %+v, want %+v", err, back, topic)
	}
}

func TestQueryMessageRefusesNoDay(t *testing.T) {
	message := QueryMessage{TopicID: "T", ApplicationDate: "2001-02-30"}
	if _, err := message.Topic(); err == nil || !strings.Contains(err.Error(), `application_date "2001-02-30"`) {
		t.Errorf("the error is %v", err)
	}
}
