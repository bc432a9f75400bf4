import { all } from './elements.ts'

// Every code block gets a button that copies it.
for (const block of all('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent ?? '')
    button.textContent = 'copied'
    setTimeout(() => {
      button.textContent = 'copy'
    }, 2000)
  })
  const frame = document.createElement('div')
  frame.className = 'copyable'
  block.replaceWith(frame)
  frame.append(block, button)
}
