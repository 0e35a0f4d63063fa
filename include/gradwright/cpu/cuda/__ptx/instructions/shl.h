/* PTX, which the host compiler cannot read: nothing of it here. (Its callers have a form for the host.) */
