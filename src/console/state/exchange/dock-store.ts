// Shipments and receipts on this device, in a database of the browser, one for each provider.
import { databaseOf } from '../frame/device.ts'

const stores = ['shipments', 'receipts'] as const
type StoreName = (typeof stores)[number]

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const endOf = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })

interface Row {
  readonly id: string
}

export class DockStore {
  readonly #database: IDBDatabase

  private constructor(database: IDBDatabase) {
    this.#database = database
    // Signing out, perhaps in another tab, deletes it.
    database.onversionchange = () => database.close()
  }

  static async open(provider: string): Promise<DockStore> {
    const opening = indexedDB.open(databaseOf(provider), 1)
    opening.onupgradeneeded = () => {
      for (const name of stores) opening.result.createObjectStore(name, { keyPath: 'id' })
    }
    return new DockStore(await answerOf(opening))
  }

  readAll<T extends Row>(name: StoreName): Promise<readonly T[]> {
    return answerOf(this.#database.transaction(name).objectStore(name).getAll())
  }

  put(name: StoreName, row: Row): Promise<void> {
    const transaction = this.#database.transaction(name, 'readwrite')
    transaction.objectStore(name).put(row)
    return endOf(transaction)
  }

  remove(name: StoreName, id: string): Promise<void> {
    const transaction = this.#database.transaction(name, 'readwrite')
    transaction.objectStore(name).delete(id)
    return endOf(transaction)
  }

  /** All of them at once, in place of those from before. */
  replaceAll(name: StoreName, rows: readonly Row[]): Promise<void> {
    const transaction = this.#database.transaction(name, 'readwrite')
    const store = transaction.objectStore(name)
    store.clear()
    for (const row of rows) store.put(row)
    return endOf(transaction)
  }
}
