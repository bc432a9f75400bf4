import type { Algorithms } from 'ssh2'

/** The algorithms of SSH: none with SHA-1, CBC, the NIST curves or compression. Clients choose by their own preference. */
export const algorithms = {
  kex: [
    // First because no client has it first. Dropbear sends its first message on the guess that our first is its own.
    // ssh2 drops such a message even if the guess was right, so the guess has to be wrong: then Dropbear sends it again.
    // The larger groups are left out: they would cost 18 ms for one packet of a client that has not logged in.
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
  // Encrypt-then-MAC only. Clients without these, such as Dropbear, have the first cipher, which needs none.
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
  compress: ['none'],
} satisfies Algorithms
