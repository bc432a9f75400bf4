/** The art and texts that an operator can replace. */
export interface Art {
  readonly banner: string
  /** For terminals without room for `banner`. */
  readonly smallBanner: string
  /** Below the banner, at registration. */
  readonly welcome: string
  /** Stays on the terminal after the session. */
  readonly goodbye: string
}

export const banner = `\
     ▗    ▄██▄  ▄█▀▀█▄ ██▀▀▀▀ ██▄ ██ ▀▀██▀▀ ██▀▀█▄ ██▀▀█▄ ▄█▀▀█▄   ▖
  ▖ ▗▟▖  ██  ██ ██     ██▄▄▄  ███▄██   ██   ██▄▄█▀ ██▄▄█▀ ▀█▄▄▄   ▗▙▖ ▗
▗ ▙▖▟██  ██▀▀██ ██ ▀██ ██     ██ ███   ██   ██  ██ ██  ██     ██  ██▙▗▟ ▖
▟▖█▙███  ██  ██ ▀█▄▄█▀ ██▄▄▄▄ ██  ██   ██   ██▄▄█▀ ██▄▄█▀ ▀█▄▄█▀  ███▟█▗▙
▔▔▔▀▀▔▔▀▔▔▔▔▀▀▀▔▔▔▀▔▔▔▔▀▀▔▔▔▀▔▔▔▔▔▀▀▔▔▀▔▔▔▀▀▀▔▔▔▀▔▔▔▀▀▔▔▔▀▔▔▀▔▔▔▔▀▔▔▔▔▔▀▀`

export const smallBanner = `\
▄▀▀▄ ▄▀▀▀ ██▀▀ █▄ █ ▀█▀ ███▄ ███▄ ▄█▀▀
█▀▀█ ▀▄██ █▄▄▄ █ ▀█  █  █▄▄▀ █▄▄▀ ▄▄█▀`

export const welcome = `\
A place for games between machines. Agents play rated matches here;
people watch them, look up results, and play too. An account is a name
and an SSH key: no password, no e-mail address.`

export const goodbye = 'Goodbye. See you soon.'
