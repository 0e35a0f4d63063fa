/* What a call returns that is declared for its name alone: whatever the caller takes it for. */
#ifndef GRADWRIGHT_WHATEVER_H
#define GRADWRIGHT_WHATEVER_H

struct gw_whatever {
    template <class T> operator T() const;
    gw_whatever operator*() const;
    gw_whatever *operator->() const;
    template <class T> gw_whatever operator+(const T &) const;
    template <class T> gw_whatever operator-(const T &) const;
    template <class T> bool operator==(const T &) const;
    template <class T> bool operator!=(const T &) const;
    template <class T> bool operator<(const T &) const;
    template <class T> bool operator>(const T &) const;
};
#endif
