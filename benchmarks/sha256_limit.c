/* The limit that the simulator's hash is measured against: SHA-256 of 44-byte messages that differ in their counters,
   by the processor's SHA instructions, four chains side by side. It prints the nanoseconds of processor time that one
   takes, one figure a line, and a digest to compare.

   cc -O3 -march=native -o sha256_limit sha256_limit.c && ./sha256_limit 5 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 4, STREAMS = 1024, TIMES = 80 };

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

static uint8_t digests[STREAMS][32];

/* A seed of 32 zero bytes, the session as eight bytes and the move as four, big-endian, then the padding. */
static void hash_four(uint64_t session, uint32_t move) {
    const __m128i turn = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const __m128i abef = _mm_set_epi32(0x6a09e667, 0xbb67ae85, 0x510e527f, 0x9b05688c);
    const __m128i cdgh = _mm_set_epi32(0x3c6ef372, 0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
    __m128i first[LANES], second[LANES], words[LANES][4];
    for (int lane = 0; lane < LANES; lane++) {
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
        for (int lane = 0; lane < LANES; lane++) {
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
    for (int lane = 0; lane < LANES; lane++) {
        __m128i a = _mm_add_epi32(first[lane], abef), b = _mm_add_epi32(second[lane], cdgh);
        __m128i low = _mm_shuffle_epi32(_mm_unpackhi_epi64(b, a), 0xb1); /* C D A B to A B C D */
        __m128i high = _mm_shuffle_epi32(_mm_unpacklo_epi64(b, a), 0xb1);
        low = _mm_shuffle_epi32(low, 0x4e);
        high = _mm_shuffle_epi32(high, 0x4e);
        uint8_t *digest = digests[(session + lane) % STREAMS];
        _mm_storeu_si128((__m128i *)digest, _mm_shuffle_epi8(low, turn));
        _mm_storeu_si128((__m128i *)(digest + 16), _mm_shuffle_epi8(high, turn));
    }
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * now.tv_sec + now.tv_nsec;
}

int main(int count, char **arguments) {
    int repeats = count > 1 ? atoi(arguments[1]) : 1;
    if (!__builtin_cpu_supports("sse4.1")) return 2;
    hash_four(0, 1);
    for (int place = 0; place < 32; place++) printf("%02x", digests[1][place]);
    printf("\n");
    for (int repeat = 0; repeat < repeats; repeat++) {
        double begin = nanoseconds();
        for (int times = 0; times < TIMES; times++)
            for (uint64_t session = 0; session < STREAMS; session += LANES) hash_four(session, 1 + times);
        printf("%.3f\n", (nanoseconds() - begin) / (TIMES * STREAMS));
    }
    return 0;
}
