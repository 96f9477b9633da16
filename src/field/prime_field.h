// A pair of prime fields Z_p and Z_q with q | p - 1, in which tensor programs are compared (Mirage, section "verification").
// A value carries a residue of each: Z_p for what stands outside exponents, Z_q for what stands inside. exp leads from
// one to the other: exp(x) = (ω^(x mod q) mod p, unknown), with ω a q-th root of unity in Z_p. So e^(a+b) = e^a e^b holds,
// and a second exp on the same path is refused, because the residue mod q is no longer known.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "base/rng.h"

namespace hone::field {

struct PrimePair {
  uint64_t p, q;  // p = 2q + 1, both ≡ 3 mod 4
};
inline constexpr PrimePair kStrong{2305843009213690799ull, 1152921504606845399ull};  // 61 and 60 bits
inline constexpr PrimePair kFast{2147481143ull, 1073740571ull};                      // 31 and 30 bits

struct Residues {
  uint64_t p = 0, q = 0;
  bool q_known = true;
  bool operator==(const Residues&) const = default;
};

inline uint64_t multiply_mod(uint64_t a, uint64_t b, uint64_t m) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % m);
}

inline uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t m) {
  uint64_t result = 1 % m;
  for (base %= m; exponent != 0; exponent >>= 1, base = multiply_mod(base, base, m))
    if (exponent & 1) result = multiply_mod(result, base, m);
  return result;
}

class PrimeField {
 public:
  // ω is drawn from the q-th roots of unity other than 1.
  PrimeField(PrimePair primes, Rng& rng) : primes_(primes) {
    do {
      uint64_t a = 2 + rng.next() % (primes_.p - 3);
      omega_ = multiply_mod(a, a, primes_.p);
    } while (omega_ == 1);
  }

  const PrimePair& primes() const { return primes_; }
  Residues random(Rng& rng) const { return {rng.next() % primes_.p, rng.next() % primes_.q, true}; }

  Residues of_integer(int64_t value) const { return {residue(value, primes_.p), residue(value, primes_.q), true}; }

  // A finite double is a fraction m / 2^k, so it has an exact image.
  Residues of_double(double value) const {
    HONE_CHECK(std::isfinite(value), "{} has no residue", value);
    int exponent = 0;
    Residues mantissa = of_integer(static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53)));
    exponent -= 53;
    Residues two = of_integer(2);
    uint64_t steps = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent);
    Residues scale{power_mod(two.p, steps, primes_.p), power_mod(two.q, steps, primes_.q), true};
    return exponent < 0 ? *divide(mantissa, scale) : multiply(mantissa, scale);
  }

  Residues add(const Residues& a, const Residues& b) const {
    return {(a.p + b.p) % primes_.p, (a.q + b.q) % primes_.q, a.q_known && b.q_known};
  }
  Residues negate(const Residues& a) const {
    return {(primes_.p - a.p) % primes_.p, (primes_.q - a.q) % primes_.q, a.q_known};
  }
  Residues subtract(const Residues& a, const Residues& b) const { return add(a, negate(b)); }
  Residues multiply(const Residues& a, const Residues& b) const {
    return {multiply_mod(a.p, b.p, primes_.p), multiply_mod(a.q, b.q, primes_.q), a.q_known && b.q_known};
  }

  // Nothing if the divisor is zero in a field where it is known.
  std::optional<Residues> divide(const Residues& a, const Residues& b) const {
    if (b.p == 0 || (b.q_known && b.q == 0)) return std::nullopt;
    return multiply(a, {power_mod(b.p, primes_.p - 2, primes_.p), power_mod(b.q, primes_.q - 2, primes_.q), b.q_known});
  }

  // Nothing if the argument already holds an exponential.
  std::optional<Residues> exponential(const Residues& a) const {
    if (!a.q_known) return std::nullopt;
    return Residues{power_mod(omega_, a.q, primes_.p), 0, false};
  }

  // Total and multiplicative; the square of the root is the argument, or its negative where that has no root.
  Residues root(const Residues& a) const {
    return {power_mod(a.p, (primes_.p + 1) / 4, primes_.p), power_mod(a.q, (primes_.q + 1) / 4, primes_.q), a.q_known};
  }

 private:
  static uint64_t residue(int64_t value, uint64_t m) {
    int64_t modulus = static_cast<int64_t>(m), rest = value % modulus;
    return static_cast<uint64_t>(rest < 0 ? rest + modulus : rest);
  }

  PrimePair primes_;
  uint64_t omega_ = 0;
};

}  // namespace hone::field
