// The attacker, a process of its own: what it costs itself must not be taken for what it costs the
// service.
import { attacks, groundOn, type Target } from './attacks.ts'

interface Order {
  readonly attack: string
  readonly target: Target
}

let end: (() => unknown) | undefined
process.on('message', (message: Order | 'end') => {
  if (message === 'end') {
    process.send?.(end?.(), () => process.exit(0))
    return
  }
  const attack = attacks.find(({ name }) => name === message.attack)
  if (attack === undefined) throw new Error(`There is no attack ${message.attack}.`)
  const opened = groundOn(message.target)
  end = opened.end
  attack.run(opened.ground)
})
