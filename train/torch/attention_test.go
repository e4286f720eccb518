package torch_test

import (
	"math"
	"testing"

	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
)

// attention by its definition, one tensor operation at a time.
func attention(q, k, v, bias *torch.Tensor, heads int) *torch.Tensor {
	split := func(t *torch.Tensor) *torch.Tensor {
		shape := t.Shape()
		return t.Reshape(shape[0], shape[1], heads, shape[2]/heads).Transpose(1, 2)
	}
	shape := q.Shape()
	scores := split(q).MatMul(split(k).Transpose(2, 3)).Scale(1 / math.Sqrt(float64(shape[2]/heads)))
	if bias != nil {
		scores = scores.Add(bias.Reshape(shape[0], 1, 1, -1))
	}
	return scores.Softmax(-1).MatMul(split(v)).Transpose(1, 2).Reshape(shape...)
}

func TestAttention(t *testing.T) {
	for name, c := range map[string]struct {
		queries int // 0: packed with keys and values
		bias    bool
	}{"packed": {0, false}, "packed and padded": {0, true}, "one query": {1, true}, "seven queries": {7, false}} {
		t.Run(name, func(t *testing.T) {
			torchtest.Run(t, func(s *torch.Session) error {
				s.Seed(3)
				const batch, keys, width, heads = 3, 7, 20, 4
				n := c.queries
				if n == 0 {
					n = keys
				}
				q := s.Zeros(batch, n, width).Normal(0, 2).RequireGrad(true)
				kv := s.Zeros(batch, keys, 2*width).Normal(0, 2).RequireGrad(true)
				var bias *torch.Tensor
				if c.bias {
					bias = torch.Of(s, []float32{
						0, 0, 0, 0, 0, 0, 0,
						0, 0, 0, 0, -1e9, -1e9, -1e9,
						0, -1e9, -1e9, -1e9, -1e9, -1e9, -1e9,
					}, batch, keys)
				}
				weight := s.Zeros(batch, n, width).Normal(0, 1)
				run := func(f func() *torch.Tensor) (out, dq, dkv []float32) {
					s.ZeroGrad([]*torch.Tensor{q, kv})
					y := f()
					y.Mul(weight).Sum().Backward()
					return torch.Values[float32](y), torch.Values[float32](q.Grad()), torch.Values[float32](kv.Grad())
				}
				y0, dq0, dkv0 := run(func() *torch.Tensor {
					return attention(q, kv.Narrow(2, 0, width), kv.Narrow(2, width, width), bias, heads)
				})
				y1, dq1, dkv1 := run(func() *torch.Tensor {
					if c.queries == 0 {
						return s.Cat(2, q, kv).SelfAttention(bias, heads, 0.5) // not training: no dropout
					}
					return q.Attention(kv, bias, heads, 0.5)
				})
				near(t, "output", y1, y0, 2e-6)
				near(t, "gradient of the queries", dq1, dq0, 1e-5)
				near(t, "gradient of keys and values", dkv1, dkv0, 1e-5)
				return nil
			})
		})
	}
}

// The derivative of dropout at a fixed mask is found by differences: seeding before every call repeats the mask.
func TestAttentionDropoutGradient(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		s.SetTraining(true)
		const batch, keys, width, heads = 2, 5, 6, 2
		s.Seed(5)
		weight := s.Zeros(batch, keys, width).Normal(0, 1)
		data := torch.Values[float32](s.Zeros(3*batch*keys*width).Normal(0, 1))
		loss := func(values []float32) (*torch.Tensor, float64) {
			s.Seed(9)
			x := torch.Of(s, values, batch, keys, 3*width).RequireGrad(true)
			y := x.SelfAttention(nil, heads, 0.4)
			l := y.Mul(weight).Sum()
			l.Backward()
			return x, l.Item()
		}
		x, _ := loss(data)
		gradient := torch.Values[float32](x.Grad())
		const h = 1e-2
		for i := 0; i < len(data); i += 7 {
			v := data[i]
			data[i] = v + h
			_, up := loss(data)
			data[i] = v - h
			_, down := loss(data)
			data[i] = v
			if want := (up - down) / (2 * h); math.Abs(float64(gradient[i])-want) > 2e-3 {
				t.Errorf("gradient[%d] = %v, differences give %v", i, gradient[i], want)
			}
		}
		return nil
	})
}
