/*
 * The same order signature as the fast core makes it, in C for 64-bit machines: Poseidon (t = 12) with the partial rounds as a
 * recurrence and one reduction for each sum of products, EdDSA with masked full-row scans of a 6-bit window, Fermat inversion,
 * and the check of the new signature with fixed-base tables. Only the limbs differ: four of 64 bits with 128-bit products.
 * A yardstick for the bench, not for use.
 *
 *   signer DATA COUNT   signs COUNT orders (storage ids 2, 4, …) and prints the last signature, and nanoseconds each of
 *                       clock and of processor time
 *
 * DATA: 32-byte little-endian numbers, written by the bench: √−a, −2d/a, B.x, B.y, the tables of t = 12 and of t = 6 in the order
 * of src/crypto/wasm/assembly/poseidon.ts, the eleven inputs, the secret key.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned __int128 wide;
typedef uint64_t fe[4];

/* Numbers modulo m below 2^254, Montgomery form with R = 2^256. */
typedef struct {
  fe m, r2;
  uint64_t n0;
} modulus;

static modulus P = {{0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029}, {0}, 0};
static modulus L = {{0x677297dc392126f1, 0xab3eedb83920ee0a, 0x370a08b6d0302b0b, 0x060c89ce5c263405}, {0}, 0};

static void subtract_if_not_below(fe a, uint64_t top, const fe m) {
  fe d;
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    wide t = (wide)a[i] - m[i] - borrow;
    d[i] = (uint64_t)t;
    borrow = (uint64_t)(t >> 64) & 1;
  }
  uint64_t keep = -(uint64_t)(borrow > top);
  for (int i = 0; i < 4; i++) a[i] = (a[i] & keep) | (d[i] & ~keep);
}

static inline void mont_mul(fe out, const fe a, const fe b, const modulus *M) {
  uint64_t t[5] = {0};
  for (int i = 0; i < 4; i++) {
    wide c = 0;
    for (int j = 0; j < 4; j++) {
      c += (wide)a[i] * b[j] + t[j];
      t[j] = (uint64_t)c;
      c >>= 64;
    }
    uint64_t t4 = t[4] + (uint64_t)c;
    uint64_t q = t[0] * M->n0;
    c = (wide)q * M->m[0] + t[0];
    c >>= 64;
    for (int j = 1; j < 4; j++) {
      c += (wide)q * M->m[j] + t[j];
      t[j - 1] = (uint64_t)c;
      c >>= 64;
    }
    c += t4;
    t[3] = (uint64_t)c;
    t[4] = (uint64_t)(c >> 64);
  }
  memcpy(out, t, 32);
  subtract_if_not_below(out, t[4], M->m);
}

static inline void mul(fe out, const fe a, const fe b) { mont_mul(out, a, b, &P); }
static inline void square(fe out, const fe a) { mont_mul(out, a, a, &P); }

static inline void add_mod(fe out, const fe a, const fe b, const fe m) {
  wide c = 0;
  for (int i = 0; i < 4; i++) {
    c += (wide)a[i] + b[i];
    out[i] = (uint64_t)c;
    c >>= 64;
  }
  subtract_if_not_below(out, (uint64_t)c, m);
}
static inline void add(fe out, const fe a, const fe b) { add_mod(out, a, b, P.m); }

static inline void sub(fe out, const fe a, const fe b) {
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    wide t = (wide)a[i] - b[i] - borrow;
    out[i] = (uint64_t)t;
    borrow = (uint64_t)(t >> 64) & 1;
  }
  uint64_t mask = -borrow;
  wide c = 0;
  for (int i = 0; i < 4; i++) {
    c += (wide)out[i] + (P.m[i] & mask);
    out[i] = (uint64_t)c;
    c >>= 64;
  }
}

static void prepare(modulus *M) {
  uint64_t inverse = 1;
  for (int i = 0; i < 6; i++) inverse *= 2 - M->m[0] * inverse;
  M->n0 = -inverse;
  fe x = {1};
  for (int i = 0; i < 512; i++) add_mod(x, x, x, M->m);
  memcpy(M->r2, x, 32);
}

static const fe INTEGER_ONE = {1};
static fe ONE;
static void from_integer(fe out, const fe a) { mul(out, a, P.r2); }
static void to_integer(fe out, const fe a) { mul(out, a, INTEGER_ONE); }

static void invert(fe out, const fe a) {
  fe powers[16], result;
  memcpy(powers[0], ONE, 32);
  for (int i = 1; i < 16; i++) mul(powers[i], powers[i - 1], a);
  fe e;
  memcpy(e, P.m, 32);
  e[0] -= 2;
  memcpy(result, ONE, 32);
  for (int digit = 63; digit >= 0; digit--) {
    for (int i = 0; i < 4; i++) square(result, result);
    mul(result, result, powers[(e[digit >> 4] >> ((digit & 15) * 4)) & 15]);
  }
  memcpy(out, result, 32);
}

/* Sums of products, nine words. */
typedef uint64_t sum[9];

static inline void add_product(sum s, const fe a, const fe b) {
  uint64_t high = 0;
  for (int i = 0; i < 4; i++) {
    wide c = 0;
    for (int j = 0; j < 4; j++) {
      c += (wide)a[i] * b[j] + s[i + j];
      s[i + j] = (uint64_t)c;
      c >>= 64;
    }
    c += (wide)s[i + 4] + high;
    s[i + 4] = (uint64_t)c;
    high = (uint64_t)(c >> 64);
  }
  s[8] += high;
}

static void end_sum(fe out, sum s) {
  uint64_t high = 0;
  for (int i = 0; i < 4; i++) {
    uint64_t q = s[i] * P.n0;
    wide c = 0;
    for (int j = 0; j < 4; j++) {
      c += (wide)q * P.m[j] + s[i + j];
      s[i + j] = (uint64_t)c;
      c >>= 64;
    }
    c += (wide)s[i + 4] + high;
    s[i + 4] = (uint64_t)c;
    high = (uint64_t)(c >> 64);
  }
  uint64_t top = s[8] + high;
  memcpy(out, s + 4, 32);
  /* Below 6p: subtract 4p, 2p and p where they fit; 4p and 2p are below 2^256. */
  static const int shifts[3] = {2, 1, 0};
  for (int k = 0; k < 3; k++) {
    fe m;
    for (int i = 3; i >= 0; i--)
      m[i] = (P.m[i] << shifts[k]) | (shifts[k] && i ? P.m[i - 1] >> (64 - shifts[k]) : 0);
    subtract_if_not_below(out, top, m);
    top = 0;
  }
}

/* Poseidon; the order of the elements as in poseidon.ts. */
typedef struct {
  int t, partial;
  fe *constants, *matrix, *entry, *early, *recurrence, *exit;
} width;

static void sbox(fe out, const fe a) {
  fe b;
  square(b, a);
  square(b, b);
  mul(out, b, a);
}

static void row_times(fe out, fe *row, fe *lanes, int t) {
  sum s = {0};
  for (int i = 0; i < t; i++) add_product(s, row[i], lanes[i]);
  end_sum(out, s);
}

static void mix(const width *w, fe *lanes) {
  fe next[13];
  for (int i = 0; i < w->t; i++) row_times(next[i], w->matrix + i * w->t, lanes, w->t);
  memcpy(lanes, next, sizeof(fe) * w->t);
}

static void permute(fe out, const width *w, fe *lanes) {
  static fe history[2 * 53 + 2];
  const int t = w->t, n = t - 1;
  fe *constants = w->constants, entered[12], x, y;
  for (int round = 0; round < 3; round++, constants++) {
    if (round) mix(w, lanes);
    for (int i = 0; i < t; i++) {
      add(lanes[i], lanes[i], *constants);
      sbox(lanes[i], lanes[i]);
    }
  }
  row_times(x, w->matrix, lanes, t);
  for (int r = 0; r < n; r++) row_times(entered[r], w->entry + r * t, lanes, t);
  memcpy(history[0], x, 32);
  fe *now = history;
  for (int r = 0; r < w->partial; r++, constants++) {
    add(y, x, *constants);
    sbox(now[1], y);
    sum s = {0};
    if (r < n) {
      for (int i = 0; i <= r; i++) add_product(s, w->early[n - 1 - r + i], history[2 * i + 1]);
      end_sum(x, s);
      add(x, x, entered[r]);
    } else {
      for (int i = 0; i <= 2 * n; i++) add_product(s, w->recurrence[i], now[1 - 2 * n + i]);
      end_sum(x, s);
    }
    now += 2;
    memcpy(*now, x, 32);
  }
  memcpy(lanes[0], x, 32);
  for (int lane = 0; lane < n; lane++) {
    sum s = {0};
    for (int i = 0; i < 2 * n; i++) add_product(s, w->exit[lane * 2 * n + i], now[1 - 2 * n + i]);
    end_sum(lanes[lane + 1], s);
  }
  for (int i = 0; i < t; i++, constants++) {
    add(lanes[i], lanes[i], *constants);
    sbox(lanes[i], lanes[i]);
  }
  for (int round = 1; round < 3; round++, constants++) {
    mix(w, lanes);
    for (int i = 0; i < t; i++) {
      add(lanes[i], lanes[i], *constants);
      sbox(lanes[i], lanes[i]);
    }
  }
  row_times(out, w->matrix, lanes, t);
}

/* Points of −x² + y² = 1 + d'x²y². */
typedef struct {
  fe x, y, z, t;
} point;
typedef struct {
  fe minus, plus, t2d;
} addend;
static fe SCALE, TWO_D, BASE_X, BASE_Y;

static void add_point(point *p, const addend *q, int negative) {
  fe a, b, c, e, f, g, h;
  sub(a, p->y, p->x);
  mul(a, a, negative ? q->plus : q->minus);
  add(b, p->y, p->x);
  mul(b, b, negative ? q->minus : q->plus);
  mul(c, p->t, q->t2d);
  add(f, p->z, p->z);
  sub(e, b, a);
  add(h, b, a);
  add(g, f, c);
  sub(f, f, c);
  mul(p->x, e, negative ? g : f);
  mul(p->y, negative ? f : g, h);
  mul(p->z, f, g);
  mul(p->t, e, h);
}

static void double_point(point *p) {
  fe a, b, c, e, f, g, h;
  square(a, p->x);
  square(b, p->y);
  square(c, p->z);
  add(e, p->x, p->y);
  square(e, e);
  add(h, a, b);
  sub(e, h, e);
  sub(g, a, b);
  add(f, c, c);
  add(f, f, g);
  mul(p->x, e, f);
  mul(p->y, g, h);
  mul(p->z, f, g);
  mul(p->t, e, h);
}

static void set_neutral(point *p) {
  memset(p, 0, sizeof *p);
  memcpy(p->y, ONE, 32);
  memcpy(p->z, ONE, 32);
}

static void to_addend(addend *out, const point *p) {
  fe inverse, x, y;
  invert(inverse, p->z);
  mul(x, p->x, inverse);
  mul(y, p->y, inverse);
  sub(out->minus, y, x);
  add(out->plus, y, x);
  mul(out->t2d, x, y);
  mul(out->t2d, out->t2d, TWO_D);
}

static addend *table_of(const fe x, const fe y, int window, int windows) {
  const int half = 1 << (window - 1);
  addend *table = malloc(sizeof(addend) * half * windows);
  point p, q;
  memcpy(p.x, x, 32);
  memcpy(p.y, y, 32);
  memcpy(p.z, ONE, 32);
  mul(p.t, x, y);
  for (int w = 0; w < windows; w++) {
    addend step;
    to_addend(&step, &p);
    q = p;
    for (int i = 0; i < half; i++) {
      to_addend(table + w * half + i, &q);
      if (i < half - 1) add_point(&q, &step, 0);
    }
    double_point(&q);
    p = q;
  }
  return table;
}

static uint32_t bits_at(const uint8_t *bytes, int position, int count) {
  uint32_t word;
  memcpy(&word, bytes + (position >> 3), 4);
  return (word >> (position & 7)) & ((1u << count) - 1);
}

static void multiply_secret(fe x, fe y, const addend *table, const fe scalar) {
  uint8_t bytes[40] = {0};
  memcpy(bytes, scalar, 32);
  point p;
  set_neutral(&p);
  int32_t carry = 0;
  for (int w = 0; w < 42; w++) {
    const int32_t value = (int32_t)bits_at(bytes, w * 6, 6) + carry;
    carry = (int32_t)((uint32_t)(32 - value) >> 31);
    const int32_t digit = value - (carry << 6);
    const int32_t sign = digit >> 31;
    const uint64_t magnitude = (uint64_t)((digit ^ sign) - sign);
    uint64_t selected[12] = {0};
    for (uint64_t i = 1; i <= 32; i++) {
      const uint64_t *entry = (const uint64_t *)(table + w * 32 + i - 1);
      const uint64_t mask = -(uint64_t)(((i ^ magnitude) - 1) >> 63);
      for (int j = 0; j < 12; j++) selected[j] |= entry[j] & mask;
    }
    const uint64_t neutral = -((magnitude - 1) >> 63), swap = (uint64_t)(int64_t)sign;
    addend q;
    fe zero = {0}, negated;
    sub(negated, zero, selected + 8);
    for (int j = 0; j < 4; j++) {
      const uint64_t minus = selected[j] | (ONE[j] & neutral), plus = selected[4 + j] | (ONE[j] & neutral);
      const uint64_t change = (minus ^ plus) & swap;
      q.minus[j] = minus ^ change;
      q.plus[j] = plus ^ change;
      q.t2d[j] = selected[8 + j] ^ ((selected[8 + j] ^ negated[j]) & swap);
    }
    add_point(&p, &q, 0);
  }
  fe inverse;
  mul(inverse, p.z, SCALE);
  invert(inverse, inverse);
  mul(x, p.x, inverse);
  mul(inverse, inverse, SCALE);
  mul(y, p.y, inverse);
}

static void add_from_table(point *p, const addend *table, int window, int windows, const fe scalar, int negative) {
  uint8_t bytes[40] = {0};
  memcpy(bytes, scalar, 32);
  const int half = 1 << (window - 1);
  int carry = 0;
  for (int w = 0; w < windows; w++) {
    int digit = (int)bits_at(bytes, w * window, window) + carry;
    carry = digit > half;
    if (carry) digit -= 2 * half;
    if (digit) add_point(p, table + w * half + abs(digit) - 1, negative != (digit < 0));
  }
}

/* SHA-512 of 64 bytes: one block. */
static const uint64_t K[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};
static uint64_t rotate(uint64_t x, int n) { return x >> n | x << (64 - n); }

static void sha512_of_64(uint8_t out[64], const uint8_t in[64]) {
  uint64_t w[80], h[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                          0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
  for (int i = 0; i < 8; i++) {
    memcpy(w + i, in + 8 * i, 8);
    w[i] = __builtin_bswap64(w[i]);
  }
  for (int i = 8; i < 16; i++) w[i] = i == 8 ? 0x8000000000000000 : i == 15 ? 512 : 0;
  for (int i = 16; i < 80; i++)
    w[i] = w[i - 16] + (rotate(w[i - 15], 1) ^ rotate(w[i - 15], 8) ^ w[i - 15] >> 7) + w[i - 7] +
           (rotate(w[i - 2], 19) ^ rotate(w[i - 2], 61) ^ w[i - 2] >> 6);
  uint64_t s[8];
  memcpy(s, h, 64);
  for (int i = 0; i < 80; i++) {
    const uint64_t e = s[4], a = s[0];
    const uint64_t t1 = s[7] + (rotate(e, 14) ^ rotate(e, 18) ^ rotate(e, 41)) + ((e & s[5]) ^ (~e & s[6])) + K[i] + w[i];
    const uint64_t t2 = (rotate(a, 28) ^ rotate(a, 34) ^ rotate(a, 39)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 56);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) {
    const uint64_t word = __builtin_bswap64(h[i] + s[i]);
    memcpy(out + 8 * i, &word, 8);
  }
}

static const addend *secret_table, *base_table, *key_table;
static fe ax, ay, key;
static width W12, W6;

static void challenge(fe out, const fe rx, const fe ry, const fe message) {
  fe lanes[6];
  memcpy(lanes[0], rx, 32);
  memcpy(lanes[1], ry, 32);
  memcpy(lanes[2], ax, 32);
  memcpy(lanes[3], ay, 32);
  memcpy(lanes[4], message, 32);
  memset(lanes[5], 0, 32);
  permute(out, &W6, lanes);
  to_integer(out, out);
}

/* Modulo L: a number below 2^256. */
static void reduce_scalar(fe out, const fe a) {
  mont_mul(out, a, INTEGER_ONE, &L);
  mont_mul(out, out, L.r2, &L);
}

static int sign_order(fe rx, fe ry, fe s, fe *inputs) {
  fe lanes[12], hash, message, r, high, c, t;
  for (int i = 0; i < 11; i++) from_integer(lanes[i], inputs[i]);
  memset(lanes[11], 0, 32);
  permute(hash, &W12, lanes);
  to_integer(message, hash);

  uint8_t preimage[64], digest[64];
  memcpy(preimage, key, 32);
  memcpy(preimage + 32, message, 32);
  sha512_of_64(digest, preimage);
  memcpy(r, digest, 32);
  memcpy(high, digest + 32, 32);
  reduce_scalar(r, r);
  mont_mul(high, high, L.r2, &L); /* high·R, where R = 2^256 is its place in the digest */
  add_mod(r, r, high, L.m);

  fe mx, my;
  multiply_secret(mx, my, secret_table, r);
  challenge(c, mx, my, hash);
  mont_mul(t, key, L.r2, &L);
  mont_mul(t, t, c, &L);
  add_mod(s, t, r, L.m);

  challenge(c, mx, my, hash);
  reduce_scalar(c, c);
  point p;
  set_neutral(&p);
  add_from_table(&p, base_table, 8, 32, s, 0);
  add_from_table(&p, key_table, 7, 36, c, 1);
  fe a, b;
  mul(a, mx, SCALE);
  mul(a, a, p.z);
  mul(b, my, p.z);
  to_integer(rx, mx);
  to_integer(ry, my);
  return memcmp(a, p.x, 32) == 0 && memcmp(b, p.y, 32) == 0;
}

static fe *take(fe **at, int count) {
  fe *first = *at;
  for (int i = 0; i < count; i++) from_integer(first[i], first[i]);
  *at += count;
  return first;
}

static void read_width(width *w, int t, int partial, fe **at) {
  const int n = t - 1;
  w->t = t;
  w->partial = partial;
  w->constants = take(at, 5 + partial + t);
  w->matrix = take(at, t * t);
  w->entry = take(at, n * t);
  w->early = take(at, n);
  w->recurrence = take(at, 2 * n + 1);
  w->exit = take(at, 2 * n * n);
}

static void print_hex(const fe a) {
  for (int i = 3; i >= 0; i--) printf("%016llx", (unsigned long long)a[i]);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  static fe data[4096];
  FILE *file = fopen(argv[1], "rb");
  if (!file || fread(data, 32, 4096, file) < 100) return 2;
  prepare(&P);
  prepare(&L);
  from_integer(ONE, INTEGER_ONE);
  fe *at = data;
  fe *curve = take(&at, 4);
  memcpy(SCALE, curve[0], 32);
  memcpy(TWO_D, curve[1], 32);
  mul(BASE_X, curve[2], SCALE);
  memcpy(BASE_Y, curve[3], 32);
  read_width(&W12, 12, 53, &at);
  read_width(&W6, 6, 52, &at);
  fe *inputs = at;
  memcpy(key, at + 11, 32);
  secret_table = table_of(BASE_X, BASE_Y, 6, 42);
  base_table = table_of(BASE_X, BASE_Y, 8, 32);
  multiply_secret(ax, ay, secret_table, key);
  fe scaled;
  mul(scaled, ax, SCALE);
  key_table = table_of(scaled, ay, 7, 36);

  fe rx, ry, s;
  const long count = atol(argv[2]);
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  const clock_t processor = clock();
  for (long i = 1; i <= count; i++) {
    memset(inputs[1], 0, 32);
    inputs[1][0] = 2 * i;
    if (!sign_order(rx, ry, s, inputs)) return 1;
  }
  const double processor_ns = (double)(clock() - processor) / CLOCKS_PER_SEC * 1e9 / count;
  clock_gettime(CLOCK_MONOTONIC, &to);
  const double clock_ns = ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / count;
  printf("{\"signature\":\"0x");
  print_hex(rx);
  print_hex(ry);
  print_hex(s);
  printf("\",\"clockNs\":%.1f,\"processorNs\":%.1f}\n", clock_ns, processor_ns);
  return 0;
}
