/**
 * Baby Jubjub as this protocol uses it (twisted Edwards over the BN254 scalar field).
 *
 * Same curve as EIP-2494, **another base point**: `BASE_X, BASE_Y` is the generator of ethsnarks.
 * The generator that most libraries ship (EIP-2494, x = 5299619240…) gives keys and signatures that
 * look fine and never verify.
 */

/** Field prime `p`: coordinates, Poseidon elements and messages live in `[0, p)`. */
export const FIELD_PRIME = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/**
 * 4p, to reduce by between two steps. It fits four words of 64 bits like p, and its highest bit is
 * set, so that V8 divides by it without shifting first; the sum of a rest and a field element still
 * fits four words (5p < 2^256).
 */
export const LOOSE_MODULUS = 4n * FIELD_PRIME;

/**
 * Order of the whole curve group, `8 · SUBGROUP_ORDER`. Other implementations reduce `S` by it; it
 * bounds what is accepted.
 */
export const GROUP_ORDER = 21888242871839275222246405745257275088614511777268538073601725287587578984328n;

/**
 * Prime order of the subgroup that `BASE` generates. Secret keys, nonces and our `S` are reduced by
 * it.
 */
export const SUBGROUP_ORDER = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;

export const COFACTOR = 8n;
export const CURVE_A = 168700n;
export const CURVE_D = 168696n;
export const BASE_X = 16540640123574156134436876038791482806971768689494387082833631921987005038935n;
export const BASE_Y = 20819045374670962167435360035096875258406992893633759881276124905556507972311n;
