import { WebSocket } from 'ws'

/** The stack of a process that does not answer, by its debugger. */
export const stackOf = (debuggerUrl: string): Promise<string> =>
  new Promise(resolve => {
    const socket = new WebSocket(debuggerUrl)
    const give = (stack: string) => {
      socket.close()
      resolve(stack)
    }
    socket.on('error', error => give(error.message))
    socket.on('open', () => {
      socket.send('{"id":1,"method":"Debugger.enable"}')
      socket.send('{"id":2,"method":"Debugger.pause"}')
    })
    socket.on('message', data => {
      const { method, params } = JSON.parse(String(data))
      if (method !== 'Debugger.paused') return
      const frames: readonly Frame[] = params.callFrames
      give(
        frames
          .map(
            ({ functionName, url, location }) =>
              `  ${functionName} ${url}:${location.lineNumber + 1}`,
          )
          .join('\n'),
      )
    })
  })

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly location: { readonly lineNumber: number }
}
