import { expect, test } from 'vitest'
import { splitEvenly } from './cents'

test('no cent is lost', () => expect(splitEvenly(100, 3)).toEqual([34, 33, 33]))
