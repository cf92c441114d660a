import { faulty, type Fault, type Transport } from "@entente/transport"

export const onABadDay = (transport: Transport, seed: number, onFault: (fault: Fault) => void) =>
  faulty(transport, {
    seed,
    onFault,
    rules: [
      { fault: "latency", ms: 20, jitterMs: 80 },
      { fault: "loss", probability: 0.1, when: { direction: "in", method: "tools/list" } },
      { fault: "disconnect", when: { direction: "out", nth: 12 }, times: 1 },
    ],
  })
