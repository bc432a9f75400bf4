import ssh2, { type ClientChannel, type ParsedKey, type PublicKeyAuthMethod } from 'ssh2'
import type { Scene } from './scene.ts'
import type { Wire } from './wire.ts'
import { within } from './wire.ts'

export interface Dialled {
  readonly user: string
  readonly key?: ParsedKey | undefined
  readonly from?: string
  readonly cipher?: ssh2.CipherAlgorithm
  readonly compress?: ssh2.CompressionAlgorithm[]
}

/** An SSH client that obeys the protocol until an attack tells it to break it. */
export class HostileSsh {
  readonly wire: Wire
  readonly client = new ssh2.Client()
  readonly #ready: Promise<boolean>
  readonly #scene: Scene

  constructor(scene: Scene, { user, key, from, ...asked }: Dialled) {
    const { cipher = 'aes128-gcm@openssh.com', compress = ['none'] } = asked
    this.#scene = scene
    this.wire = scene.dial('ssh', from)
    this.client.on('error', () => {})
    // Requests of the server are unknown here.
    this.client.on('keyboard-interactive', (_n, _i, _l, _prompts, finish) => finish([]))
    this.#ready = new Promise(resolve => {
      this.client.once('ready', () => resolve(true))
      this.client.once('close', () => resolve(false))
      this.wire.socket.once('close', () => resolve(false))
    })
    this.client.connect({
      sock: this.wire.socket,
      username: user,
      ...(key === undefined ? { tryKeyboard: true } : { authHandler: [byKey(user, key)] }),
      algorithms: { kex: ['curve25519-sha256'], cipher: [cipher], compress },
      readyTimeout: 0,
    })
  }

  /** Whether the login succeeded within this time. */
  async ready(ms = 4_000): Promise<boolean> {
    this.#scene.needsLogin()
    let ready = false
    await within(
      ms,
      this.#ready.then(is => {
        ready = is
      }),
    )
    return ready
  }

  /** Sends a payload as a packet, with valid encryption and signature. */
  packet(payload: Buffer): void {
    const { _protocol: protocol } = this.client as unknown as Inner
    if (!this.wire.open || protocol === undefined) return
    const packet = protocol._cipher.allocPacket(payload.length)
    packet.set(payload, 5)
    protocol._cipher.encrypt(packet)
  }

  /** Starts a key exchange, if none is running. */
  rekey(): boolean {
    const { _protocol: protocol } = this.client as unknown as Inner
    if (!this.wire.open || protocol === undefined || protocol._kexinit !== undefined) return false
    protocol.rekey()
    return true
  }

  /** From now on `replace` may replace every packet of the client. */
  intercept(replace: (payload: Buffer) => readonly Buffer[]): void {
    const { _protocol: protocol } = this.client as unknown as Inner
    if (protocol === undefined) return
    const cipher = protocol._cipher
    const encrypt = cipher.encrypt.bind(cipher)
    cipher.encrypt = (packet: Buffer) => {
      const end = packet.readUInt32BE(0) + 4 - packet[4]!
      for (const payload of replace(Buffer.from(packet.subarray(5, end)))) {
        const other = cipher.allocPacket(payload.length)
        other.set(payload, 5)
        encrypt(other)
      }
    }
  }

  /** Opens a command, or a shell if it is empty; with a terminal if one is given. */
  async open(command: string, pty?: ssh2.PseudoTtyOptions): Promise<ClientChannel | undefined> {
    let channel: ClientChannel | undefined
    const opened = new Promise<void>(resolve => {
      const took = (_: Error | undefined, stream?: ClientChannel) => {
        channel = stream
        stream?.on('error', () => {})
        stream?.stderr.on('error', () => {}).resume()
        resolve()
      }
      try {
        if (command !== '') this.client.exec(command, pty === undefined ? {} : { pty }, took)
        else this.client.shell(pty ?? false, took)
      } catch {
        resolve() // already closed
      }
    })
    await within(3_000, opened)
    return channel
  }
}

/** The one way to log in. */
export const byKey = (username: string, key: ParsedKey): PublicKeyAuthMethod => ({
  type: 'publickey',
  username,
  key,
})

/** Internals of ssh2. */
interface Inner {
  readonly _protocol?: {
    readonly _kexinit: Buffer | undefined
    rekey(): void
    readonly _cipher: {
      allocPacket(length: number): Buffer
      encrypt(packet: Buffer): void
    }
  }
}
