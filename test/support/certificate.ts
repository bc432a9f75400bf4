import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** A certificate for `localhost`, signed by itself: who is to trust it has to be given its file. */
export const certificate = (folder: string, { days = 30 } = {}) => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const how = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc']
  const whose = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(
    'openssl',
    ['req', ...how, ...whose, '-days', String(days), '-out', cert, '-keyout', key],
    { stdio: 'pipe' },
  )
  return { cert, key }
}
