package modes

// TryRW is RW with readers and writers that may try.
type TryRW struct{ RW }

func NewTryRW(int) *TryRW { return new(TryRW) }

func (l *TryRW) TryLock(int) bool { return l.word.CompareAndSwap(0, writing) } // 6

func (l *TryRW) TryRLock(int) bool {
	if l.word.Add(reader)&writing != 0 { // 7
		l.word.Add(^uint32(reader - 1)) // 8
		return false
	}
	return true
}

// TryRWLeaves forgets to take back what a reader has announced that fails.
type TryRWLeaves struct{ TryRW }

func NewTryRWLeaves(int) *TryRWLeaves { return new(TryRWLeaves) }

func (l *TryRWLeaves) TryRLock(int) bool { return l.word.Add(reader)&writing == 0 } // 7

// TryRWLooks looks for a writer, and then announces its reader.
type TryRWLooks struct{ TryRW }

func NewTryRWLooks(int) *TryRWLooks { return new(TryRWLooks) }

func (l *TryRWLooks) TryRLock(int) bool {
	if l.word.Load()&writing != 0 { // 7
		return false
	}
	l.word.Add(reader) // 8
	return true
}

// TryRWOnce fails if another reader comes between its two accesses.
type TryRWOnce struct{ TryRW }

func NewTryRWOnce(int) *TryRWOnce { return new(TryRWOnce) }

func (l *TryRWOnce) TryRLock(int) bool {
	w := l.word.Load()                                          // 7
	return w&writing == 0 && l.word.CompareAndSwap(w, w+reader) // 8
}

// TryRWAgain tries until no other reader does so at once.
type TryRWAgain struct{ TryRWOnce }

func NewTryRWAgain(int) *TryRWAgain { return new(TryRWAgain) }

func (l *TryRWAgain) TryRLock(i int) bool {
	for l.word.Load()&writing == 0 { // 9
		if l.TryRWOnce.TryRLock(i) {
			return true
		}
	}
	return false
}

// Unmade has methods that do not make a passage.
type Unmade struct{ bit }

func NewUnmade(int) *Unmade { return new(Unmade) }

func (l *Unmade) TryLock() bool      { return !l.busy.Swap(true) }
func (l *Unmade) RLock(i int)        { l.Lock(i) }
func (l *Unmade) TryRLock(int) bool  { return false }
func (l *Unmade) LockUntil(int) bool { return false }
