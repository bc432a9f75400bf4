import type { Algorithms } from 'ssh2'

/** All that is spoken here: nothing with SHA-1, CBC or compression. Clients choose by their own preference. */
export const algorithms = {
  kex: [
    // First because no client has it first. Dropbear sends its first message on the guess that our first is its own,
    // and ssh2 drops such a message however good the guess was: it has to be a wrong one, so that it comes again.
    'diffie-hellman-group16-sha512',
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
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
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  compress: ['none'],
} satisfies Algorithms
