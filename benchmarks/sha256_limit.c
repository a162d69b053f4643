/* The limit that the simulator's hash is measured against: SHA-256 of 44-byte messages that differ in their counters, each
   digest written to the beginning of a row of 64 bytes. By the processor's SHA instructions, four chains side by side, and
   by sixteen lanes of AVX-512, the rounds before the counters done once; whichever the processor has. It prints a digest to
   compare and, a line for each repeat, the nanoseconds of processor time that one takes by each way, 0 for a missing one.

   cc -O3 -march=native -o sha256_limit sha256_limit.c && ./sha256_limit 5 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHAINS = 4, STREAMS = 512, TIMES = 100 };

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint8_t rows[STREAMS][64] __attribute__((aligned(64)));

#ifdef __SHA__

/* A seed of 32 zero bytes, the session as eight bytes and the move as four, big-endian, then the padding. */
static void hash_four(uint64_t session, uint32_t move) {
    const __m128i turn = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const __m128i abef = _mm_set_epi32(0x6a09e667, 0xbb67ae85, 0x510e527f, 0x9b05688c);
    const __m128i cdgh = _mm_set_epi32(0x3c6ef372, 0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
    __m128i first[CHAINS], second[CHAINS], words[CHAINS][4];
    for (int lane = 0; lane < CHAINS; lane++) {
        uint64_t id = session + lane;
        first[lane] = abef;
        second[lane] = cdgh;
        words[lane][0] = words[lane][1] = _mm_setzero_si128();
        words[lane][2] = _mm_set_epi32(0x80000000u, move, (uint32_t)id, (uint32_t)(id >> 32));
        words[lane][3] = _mm_set_epi32(44 * 8, 0, 0, 0);
    }
#pragma GCC unroll 16
    for (int quarter = 0; quarter < 16; quarter++) {
        const __m128i constants = _mm_loadu_si128((const __m128i *)(K + 4 * quarter));
#pragma GCC unroll 4
        for (int lane = 0; lane < CHAINS; lane++) {
            __m128i *w = words[lane];
            const int now = quarter & 3, next = (quarter + 1) & 3, third = (quarter + 2) & 3, last = (quarter + 3) & 3;
            __m128i summed = _mm_add_epi32(w[now], constants);
            second[lane] = _mm_sha256rnds2_epu32(second[lane], first[lane], summed);
            first[lane] = _mm_sha256rnds2_epu32(first[lane], second[lane], _mm_shuffle_epi32(summed, 0x0e));
            if (quarter < 12) {
                __m128i partial = _mm_sha256msg1_epu32(w[now], w[next]);
                partial = _mm_add_epi32(partial, _mm_alignr_epi8(w[last], w[third], 4));
                w[now] = _mm_sha256msg2_epu32(partial, w[last]);
            }
        }
    }
    for (int lane = 0; lane < CHAINS; lane++) {
        __m128i a = _mm_add_epi32(first[lane], abef), b = _mm_add_epi32(second[lane], cdgh);
        __m128i low = _mm_shuffle_epi32(_mm_unpackhi_epi64(b, a), 0xb1); /* C D A B to A B C D */
        __m128i high = _mm_shuffle_epi32(_mm_unpacklo_epi64(b, a), 0xb1);
        low = _mm_shuffle_epi32(low, 0x4e);
        high = _mm_shuffle_epi32(high, 0x4e);
        uint8_t *digest = rows[session + lane];
        _mm_storeu_si128((__m128i *)digest, _mm_shuffle_epi8(low, turn));
        _mm_storeu_si128((__m128i *)(digest + 16), _mm_shuffle_epi8(high, turn));
    }
}

#endif

#ifdef __AVX512BW__
typedef __m512i Lanes;
static const uint32_t INITIAL[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static uint32_t begun[8]; /* the state after the eight words of the seed */

#define ADD _mm512_add_epi32
#define ROTATE _mm512_ror_epi32
#define XOR3(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define SMALL(x, i, j, k) XOR3(ROTATE(x, i), ROTATE(x, j), _mm512_srli_epi32(x, k))
#define LARGE(x, i, j, k) XOR3(ROTATE(x, i), ROTATE(x, j), ROTATE(x, k))

static inline __attribute__((always_inline)) void one_round(Lanes *s, Lanes word, int t) {
    Lanes first = ADD(ADD(s[7], ADD(_mm512_set1_epi32(K[t]), word)),
                      ADD(_mm512_ternarylogic_epi32(s[4], s[5], s[6], 0xca), LARGE(s[4], 6, 11, 25)));
    Lanes second = ADD(_mm512_ternarylogic_epi32(s[0], s[1], s[2], 0xe8), LARGE(s[0], 2, 13, 22));
    s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = ADD(s[3], first);
    s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = ADD(first, second);
}

static void hash_sixteen(const uint64_t *sessions, uint32_t move, uint8_t (*out)[64]) {
    Lanes w[16], s[8];
    __m512i low = _mm512_loadu_si512(sessions), high = _mm512_loadu_si512(sessions + 8);
    for (int i = 0; i < 16; i++) w[i] = _mm512_setzero_si512();
    w[9] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)), _mm512_cvtepi64_epi32(high), 1);
    low = _mm512_srli_epi64(low, 32), high = _mm512_srli_epi64(high, 32);
    w[8] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)), _mm512_cvtepi64_epi32(high), 1);
    w[10] = _mm512_set1_epi32(move);
    w[11] = _mm512_set1_epi32(0x80000000u);
    w[15] = _mm512_set1_epi32(44 * 8);
    for (int i = 0; i < 8; i++) s[i] = _mm512_set1_epi32(begun[i]);
#pragma GCC unroll 8
    for (int t = 8; t < 16; t++) one_round(s, w[t], t);
#pragma GCC unroll 48
    for (int t = 16; t < 64; t++) {
        w[t & 15] = ADD(ADD(w[t & 15], SMALL(w[(t + 1) & 15], 7, 18, 3)),
                        ADD(w[(t + 9) & 15], SMALL(w[(t + 14) & 15], 17, 19, 10)));
        one_round(s, w[t & 15], t);
    }
    const __m512i turn = _mm512_broadcast_i32x4(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    for (int i = 0; i < 8; i++) s[i] = _mm512_shuffle_epi8(ADD(s[i], _mm512_set1_epi32(INITIAL[i])), turn);
    Lanes quads[2][4]; /* four rows each, a row of every quad of lanes */
    for (int half = 0; half < 2; half++) {
        Lanes *d = s + 4 * half, a = _mm512_unpacklo_epi32(d[0], d[1]), b = _mm512_unpackhi_epi32(d[0], d[1]);
        Lanes c = _mm512_unpacklo_epi32(d[2], d[3]), e = _mm512_unpackhi_epi32(d[2], d[3]);
        quads[half][0] = _mm512_unpacklo_epi64(a, c), quads[half][1] = _mm512_unpackhi_epi64(a, c);
        quads[half][2] = _mm512_unpacklo_epi64(b, e), quads[half][3] = _mm512_unpackhi_epi64(b, e);
    }
#define ROW(i, q)                                                                              \
    _mm256_store_si256((__m256i *)out[4 * q + i],                                              \
                       _mm256_inserti128_si256(_mm256_castsi128_si256(_mm512_extracti32x4_epi32(quads[0][i], q)), \
                                               _mm512_extracti32x4_epi32(quads[1][i], q), 1)); \
    out[4 * q + i][32] = 0;
#define ROWS(i) ROW(i, 0) ROW(i, 1) ROW(i, 2) ROW(i, 3)
    ROWS(0) ROWS(1) ROWS(2) ROWS(3)
}

static uint32_t rotated(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void begin(void) { /* eight words of zero */
    uint32_t s[8];
    memcpy(s, INITIAL, sizeof s);
    for (int t = 0; t < 8; t++) {
        uint32_t first = s[7] + K[t] + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25));
        uint32_t second = ((s[0] & s[1]) | (s[2] & (s[0] | s[1]))) + (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22));
        for (int i = 7; i > 0; i--) s[i] = s[i - 1];
        s[4] += first;
        s[0] = first + second;
    }
    memcpy(begun, s, sizeof s);
}
#endif

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * now.tv_sec + now.tv_nsec;
}

static void print_row(void) { /* each way prints session 1 */
    for (int place = 0; place < 32; place++) printf("%02x", rows[1][place]);
    printf("\n");
    memset(rows, 0, sizeof rows);
}

int main(int count, char **arguments) {
    int repeats = count > 1 ? atoi(arguments[1]) : 1;
    double chains = 0, lanes = 0;
#ifdef __SHA__
    hash_four(0, 1);
    print_row();
#endif
#ifdef __AVX512BW__
    static uint64_t sessions[STREAMS];
    for (int i = 0; i < STREAMS; i++) sessions[i] = i;
    begin();
    hash_sixteen(sessions, 1, rows);
    print_row();
#endif
    for (int repeat = 0; repeat < repeats; repeat++) {
        double start = nanoseconds();
#ifdef __SHA__
        for (int times = 0; times < TIMES; times++)
            for (uint64_t session = 0; session < STREAMS; session += CHAINS) hash_four(session, 1 + times);
        chains = (nanoseconds() - start) / (TIMES * STREAMS);
        start = nanoseconds();
#endif
#ifdef __AVX512BW__
        for (int times = 0; times < TIMES; times++)
            for (int i = 0; i < STREAMS; i += 16) hash_sixteen(sessions + i, 1 + times, rows + i);
        lanes = (nanoseconds() - start) / (TIMES * STREAMS);
#endif
        printf("%.3f %.3f\n", chains, lanes);
    }
    return 0;
}
