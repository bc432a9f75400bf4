import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** A self-signed certificate for `localhost`; clients that trust it need its file. */
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
