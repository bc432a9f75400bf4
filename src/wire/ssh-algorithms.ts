import type { Algorithms } from 'ssh2'

/** All that is spoken here: nothing with SHA-1, CBC, the NIST curves or compression. Clients choose by their own preference. */
export const algorithms = {
  kex: [
    // First because no client has it first. Dropbear sends its first message on the guess that our first is its own,
    // and ssh2 drops such a message however good the guess was: it has to be a wrong one, so that it comes again.
    // The larger groups are left out: they would let a stranger have 18 ms of our time for a packet.
    'diffie-hellman-group14-sha256',
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
  ],
  serverHostKey: ['ssh-ed25519'],
  cipher: [
    'chacha20-poly1305@openssh.com',
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  // Only over what is encrypted already. Clients that do not have these, such as Dropbear, have the first cipher, which
  // needs none.
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
  compress: ['none'],
} satisfies Algorithms
