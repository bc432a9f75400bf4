/**
 * Whether a page of another site sends this. Our own has our name: with any name that leads to this machine, a page of that name
 * could send it (DNS rebinding).
 */
export const isForeignTo = (site: string, origin: string | undefined): boolean => {
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  const [theirs, ours] = [new URL(origin).hostname, new URL(site).hostname]
  return theirs !== ours && !(loopback.includes(theirs) && loopback.includes(ours))
}

const loopback = ['localhost', '127.0.0.1', '[::1]']
