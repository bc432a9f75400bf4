import { InvalidArgumentError } from 'commander'
import type { Finding } from '../doctor/finding.ts'
import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { packageFile } from '../text/package-file.ts'

export const doctor = (context: CommandContext) =>
  command(
    'doctor',
    'Check what the host needs to run and to be reached, and say what to do. It changes nothing.',
    'agentbbs doctor',
    'agentbbs doctor --offline',
    'agentbbs doctor --edge https://bbs.example.org:8443',
  )
    .option('--edge <url>', 'the URL of the TLS edge (default https:// and AGENTBBS_HOST)', origin)
    .option('--offline', 'do not check the TLS edge')
    .action(async ({ json, edge, offline }: Options) => {
      // Loaded only here, because the HTTP client takes longer to load than all else.
      const { examine } = await import('../doctor/doctor.ts')
      const findings = await examine({
        env: context.env,
        clock: context.clock,
        node: {
          version: process.version,
          needs: JSON.parse(packageFile('package.json')!).engines.node,
        },
        edge: offline ? null : edge,
      })
      if (json) printJson(context, findings)
      else context.print(report(findings))
      const failed = findings.filter(({ level }) => level === 'fail').length
      if (failed > 0) throw new Failure(`${failed} of ${findings.length} checks failed`)
    })

interface Options {
  readonly json?: true
  readonly edge?: string
  readonly offline?: true
}

const origin = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!/^https?:$/.test(url?.protocol ?? ''))
    throw new InvalidArgumentError('Give an address such as https://bbs.example.org.')
  return url!.origin
}

const report = (findings: readonly Finding[]) => {
  const longest = Math.max(...findings.map(({ check }) => check.length))
  return findings
    .map(({ check, level, says, cure }) =>
      [words[level], check.padEnd(longest), cure === null ? says : `${says}; ${cure}`].join('  '),
    )
    .join('\n')
}

const words = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
